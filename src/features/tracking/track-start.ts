/** What the dialog begins with: the slugs of where the user was. */
export interface TrackStart {
  project: string
  environment: string
}
