/** The initial slugs of the dialog: those of the open project and environment. */
export interface TrackStart {
  project: string
  environment: string
}
