/** The name of an environment in a list; '' once it has been deleted. */
export const environmentName = (environments: readonly { id: string; name: string }[], id: string): string =>
  environments.find((environment) => environment.id === id)?.name ?? ''
