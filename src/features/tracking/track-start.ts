/** The initial slugs of the dialog: those of the open project and environment; '' where none is open. */
export interface TrackStart {
  project: string
  environment: string
}

type Open = { slug: string } | null | undefined

export const trackStart = (project: Open, environment: Open): TrackStart => ({
  project: project?.slug ?? '',
  environment: environment?.slug ?? '',
})
