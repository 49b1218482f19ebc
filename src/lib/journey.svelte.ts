/** A place in a workspace that the user asked to see. */
export interface Destination {
  workspaceId: string
  /** null: its first environment. */
  projectId: string | null
  environmentId: string | null
  /** The variable to go to there. */
  variable: { id: string; name: string } | null
  /** The screen to show instead of variables. */
  screen?: 'versions' | 'members' | 'compare'
}

/** Where the window should go next. The shell takes it as far as it can, each screen its own step; the last one says `done`. */
class Journey {
  to = $state.raw<Destination | null>(null)

  go(to: Destination): void {
    this.to = to
  }

  done(): void {
    this.to = null
  }
}

export const journey = new Journey()
