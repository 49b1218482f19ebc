import type { CommandName } from '../../electron/bridge/contract.ts'

/** Why the histories do not play a command. */
export interface NotPlayed {
  because: string
}

const ofTheShell: NotPlayed = { because: 'Nothing of a workspace is read, written or sent.' }
const ofFolders: NotPlayed = {
  because: 'It makes, finds or forgets whole workspaces, each a folder with an engine of its own; test/app/workspaces plays these.',
}

/**
 * Every command of the application: given in the histories, or why not. A new one has to be decided about here. seldom: drawn as often as others,
 * and mostly there is nothing to give it for, so that a hundred histories may lack it.
 */
export const commandTable: { readonly [N in CommandName]: 'played' | 'seldom' | NotPlayed } = {
  'app.remember-place': ofTheShell,
  'app.stay-unlocked': ofTheShell,
  'app.open-folder': ofTheShell,
  'clipboard.copy': ofTheShell,
  'clipboard.hold': ofTheShell,
  'clipboard.release': ofTheShell,
  'settings.set': ofTheShell,
  'keys.choose': { because: 'Keys move from one store to another, and no workspace changes; test/app/keys plays it.' },
  'keys.unlock': 'played',
  'keys.lock': 'played',
  'file.save': ofTheShell,
  'drafts.keep': ofTheShell,
  'drafts.take': ofTheShell,
  'keys.set-pin': { because: 'It changes how keys are unlocked, and no workspace; test/app/keys plays it.' },
  'keys.use-system': { because: 'It changes how keys are unlocked, and no workspace; test/app/keys plays it.' },
  'keys.change-passphrase': { because: 'It changes how a vault is opened, and no workspace; test/app/keys plays it.' },
  'workspaces.look-around': ofFolders,
  'workspaces.start-local': ofFolders,
  'workspaces.probe': ofFolders,
  'workspaces.connect': ofFolders,
  'workspaces.move': ofFolders,
  'workspaces.rename': { because: 'It changes a name that no row has; test/app/workspaces/rename.test.ts plays it.' },
  'workspaces.remove': ofFolders,
  'restart.resend': { because: 'The service of a history keeps its database; test/app/restart plays it.' },
  'restart.dismiss': { because: 'Nothing of a row is read, written or sent; test/app/restart plays it.' },
  'unverified.bind': { because: 'It changes which values are taken, once in a workspace; test/app/unverified plays it.' },
  'unverified.accept': { because: 'The service of a history tells the truth; test/app/unverified plays it.' },
  'unverified.restore': { because: 'The service of a history tells the truth; test/app/unverified plays it.' },
  // In the histories of the deck `deletions` alone.
  'deleted.restore': 'seldom',
  'workspaces.supply-keys': 'played',
  'projects.create': 'played',
  'projects.update': 'played',
  'projects.delete': 'played',
  'projects.add-sample': 'played',
  'environments.create': 'played',
  'environments.update': 'played',
  'environments.delete': 'played',
  'variables.create': 'played',
  'variables.update': 'played',
  'references.rename': { because: 'It is several times “variables.update” in one step; test/app/references plays it.' },
  'variables.delete': 'played',
  'variables.update-many': 'played',
  'variables.copy-to': 'played',
  'variables.duplicate': 'played',
  'compare.copy': 'played',
  'import.apply': 'played',
  'import.cancel': 'played',
  'import.dismiss': { because: 'It forgets a notice; test/app/workspaces/lifecycle plays it.' },
  'undo.undo': 'played',
  'undo.redo': 'played',
  'versions.create': 'played',
  'versions.rollback': 'played',
  // Of a version that no pull has brought: one in fifty histories has such a one.
  'versions.fetch': 'seldom',
  'versions.mirror': 'played',
  'members.invite': 'played',
  'members.set-role': 'played',
  'members.remove': 'played',
  'tracked.add': 'played',
  'tracked.remove': 'played',
  'repair.run': 'played',
  'repair.dismiss': 'played',
  'repair.restore-service': { because: 'The histories have a service of their own; test/app/repair plays it.' },
  'sync.pause': 'played',
  'sync.now': { because: 'Every sync of a history is one; the engine itself is told, because the command does not say when it has ended.' },
  'queue.apply': 'played',
  'queue.retry': 'played',
  'queue.discard': 'played',
  'history.restore': 'played',
  'conflicts.resolve': 'played',
}

/** The commands that many histories together give. */
export const playedCommands: readonly string[] = Object.keys(commandTable).filter((name) => commandTable[name as CommandName] === 'played')
