import type { Capabilities } from './capabilities.ts'

/** What this server cannot do, one sentence each; nothing about what is not known yet. */
export const describeLimits = (capabilities: Readonly<Capabilities>): string[] =>
  (Object.keys(sentences) as (keyof Capabilities)[]).filter((name) => capabilities[name] === 'absent').map((name) => sentences[name])

const sentences: Readonly<Record<keyof Capabilities, string>> = {
  lists: 'This server cannot list what it holds: name the projects, environments and variables to keep in step.',
  creates: 'This server offers no way to create projects or variables: new ones wait here until it does.',
  changes: 'This server has no list of changes: everything is read again at each sync.',
  etags:
    'This server does not mark revisions: a change made elsewhere in the same moment can be overwritten, and is kept in the history here.',
  versions: 'This server cannot list versions: enter the id of a version to see it or roll back to it.',
  members: 'This server cannot list members.',
}
