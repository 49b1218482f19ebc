/** What the dialog begins with: the slugs of where the user was. */
export interface FollowStart {
  project: string
  environment: string
}
