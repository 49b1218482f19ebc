import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import {
  discardDrafts,
  Drafts,
  draftsOf,
  keepDrafts,
  lock,
  newEdit,
  restoreDrafts,
  typedPlaces,
} from '../../../src/features/variables/drafts.svelte.ts'
import { ImportDraft } from '../../../src/features/variables/import-draft.svelte.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import { pageId } from '../../../src/lib/page-id.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id)
  vi.useRealTimers()
})

const diskFull: AppError = { kind: 'disk-full', message: 'The disk is full.' }
const denied: AppError = { kind: 'keychain-cancelled', message: 'The system keychain denied the request.' }
const tooLarge: AppError = { kind: 'invalid-input', message: '"draft" is too large.' }

interface Kept {
  placeId?: string
  draft?: string | null
  adopted?: string[]
}

/** The drafts of a screen, and an application that keeps them while it has no `refusal`. */
const setUp = (placeId: string, before: { kept?: string; left?: Record<string, string>; open?: string[]; unreadable?: AppError } = {}) => {
  const own = `${placeId}/${pageId}`
  const left = Object.entries(before.left ?? {}).map(([page, draft]) => [`${placeId}/${page}`, draft] as const)
  const rows = new Map([...left, ...(before.kept === undefined ? [] : [[own, before.kept] as const])])
  const app = {
    refusal: null as AppError | null,
    unreadable: before.unreadable ?? null,
    rows,
    get kept() {
      return rows.get(own) ?? null
    },
    calls: 0,
    isLocked: false,
    unlock: () => {},
    /** Tells that a page was closed. */
    tell: () => {},
    open: new Set(before.open),
  }
  const take = () => {
    if (app.unreadable !== null) return { ok: false, error: app.unreadable }
    for (const [at, draft] of rows) {
      const [, page = ''] = at.split('/')
      if (page === pageId || app.open.has(page)) continue
      rows.delete(at)
      rows.set(`${own}/${page}`, draft)
    }
    const taken = [...rows].filter(([at]) => at.startsWith(own))
    return { ok: true, value: taken.map(([at, draft]) => ({ placeId: at, draft })) }
  }
  const bridge = {
    command: async (name: string, { placeId: at = '', draft = null, adopted = [] }: Kept) => {
      if (name === 'drafts.take') return take()
      app.calls += 1
      if (name === 'keys.lock') app.isLocked = true
      else if (app.refusal !== null) return { ok: false, error: app.refusal }
      else {
        for (const each of [at, ...adopted]) rows.delete(each)
        if (draft !== null) rows.set(at, draft)
      }
      return { ok: true, value: null }
    },
    onPush: (listener: (push: Push) => void) => {
      const push = (table: Push['tables'][number]) => listener({ push: 'changed', workspaceId: null, tables: [table] })
      app.unlock = () => {
        app.unreadable = null
        push('app')
      }
      app.tell = () => push('drafts')
      return () => undefined
    },
  } as unknown as Bridge
  const drafts = draftsOf(placeId)
  const leave = $effect.root(() => keepDrafts(bridge, `workspace of ${placeId}`, placeId))
  const settle = async () => {
    flushSync()
    await vi.advanceTimersByTimeAsync(0)
  }
  const typeValue = (text: string) => {
    drafts.edit = newEdit({ id: 'a', name: 'A', rev: 1, type: 'string' } as never, 0, 'value', 'old')
    drafts.edit.text = text
    return settle()
  }
  return { app, bridge, drafts, leave, settle, typeValue }
}

test('a draft whose save ends after its screen was left is no longer kept', async () => {
  const { app, drafts, leave, settle, typeValue } = setUp('left')
  await typeValue('new')
  expect(app.kept).toContain('new')
  const end = Promise.withResolvers<boolean>()
  drafts.saving = end.promise
  await settle()
  leave()
  drafts.edit = null
  drafts.saving = null
  end.resolve(true)
  await settle()
  expect(app.kept).toBe(null)
})

describe('as the page ends', () => {
  const endPage = () => dispatchEvent(new Event('beforeunload'))

  test('a long draft is kept that waits for a pause in the typing', async () => {
    const { app, drafts, settle, typeValue } = setUp('ended while typing')
    await typeValue('short')
    drafts.edit = newEdit({ id: 'a', name: 'A', rev: 1, type: 'string' } as never, 0, 'value', 'old')
    drafts.edit.text = 'long'.repeat(50_000)
    await settle()
    expect(app.kept).toContain('short')
    endPage()
    expect(app.kept).toContain('longlong')
  })

  test('what its user has cancelled is dropped, though an answer is still to come', async () => {
    const { app, drafts, typeValue } = setUp('ended after a cancel')
    await typeValue('half typed')
    drafts.edit = null
    endPage()
    expect(app.kept).toBe(null)
  })

  test('a draft that its user has not seen again stays', async () => {
    const { app } = setUp('ended before it was read', { kept: '{"unseen":true}', unreadable: denied })
    endPage()
    expect(app.kept).toBe('{"unseen":true}')
  })
})

test('a draft that is refused is sent again until it is kept', async () => {
  const { app, typeValue } = setUp('refused')
  app.refusal = diskFull
  await typeValue('typed while the disk was full')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(app.kept).toBe(null)
  app.refusal = null
  await vi.advanceTimersByTimeAsync(10_000)
  expect(app.kept).toContain('typed while the disk was full')
})

test('Holdfast is locked with a draft that was refused once it is kept', async () => {
  const { app, bridge, typeValue } = setUp('refused before a lock')
  app.refusal = diskFull
  await typeValue('typed while the disk was full')
  app.refusal = null
  await lock(bridge)
  expect(app).toMatchObject({ isLocked: true, kept: expect.stringContaining('typed while the disk was full') })
})

test('Holdfast is locked with a draft that can’t be kept only if its user wants that', async () => {
  const { app, bridge, drafts, settle, typeValue } = setUp('refused at a lock')
  app.refusal = diskFull
  await typeValue('lost')
  await lock(bridge)
  expect(app.isLocked).toBe(false)
  expect(toasts.list).toMatchObject([{ tone: 'bad', text: 'Not locked: unsaved text would be lost. The disk is full.' }])
  toasts.list[0]?.action?.run()
  await settle()
  expect(app.isLocked).toBe(true)
  app.refusal = null
  drafts.edit = null
  await settle()
})

test('a draft that could not be read again is neither deleted nor replaced', async () => {
  const unseen = JSON.stringify({ edit: null, addition: { name: 'UNSEEN', value: 'half' }, waiting: [], text: null })
  const { app, bridge, drafts, settle } = setUp('unseen', { kept: unseen, unreadable: denied })
  await restoreDrafts(bridge, 'workspace of unseen')
  drafts.addition.name = 'TYPED'
  await settle()
  drafts.addition.name = ''
  await settle()
  expect(app.kept).toBe(unseen)
  drafts.addition.name = 'TYPED'
  await lock(bridge)
  expect(toasts.list).toMatchObject([{ text: 'Not locked: unsaved text would be lost. The system keychain denied the request.' }])
  expect(app.kept).toBe(unseen)
  app.unlock()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(JSON.parse(app.kept ?? '{}')).toMatchObject({ addition: { name: 'TYPED' }, waiting: [{ name: 'UNSEEN' }] })
})

describe('a kept edit that can be read only after another editor was opened', () => {
  const row = (name: string) => ({ id: name, name, rev: 1, type: 'string' }) as never
  const unseen = JSON.stringify({
    edit: { ...newEdit(row('CERT'), 0, 'value', 'old'), text: 'half a certificate' },
    addition: { name: '', value: '', type: 'string', isSecret: false },
    waiting: [],
    text: null,
  })
  const openOther = async (placeId: string, typed: string) => {
    const it = setUp(placeId, { kept: unseen, unreadable: denied })
    await restoreDrafts(it.bridge, `workspace of ${placeId}`)
    it.drafts.edit = newEdit(row('OTHER'), 1, 'name', 'OTHER')
    it.drafts.edit.text = typed
    await it.settle()
    it.app.unlock()
    await vi.advanceTimersByTimeAsync(5000)
    return it
  }

  test('takes the place of one without unsaved text', async () => {
    const { drafts } = await openOther('opened', 'OTHER')
    expect(drafts.edit).toMatchObject({ row: { name: 'CERT' }, text: 'half a certificate' })
    expect(toasts.list).toEqual([])
  })

  test('stays kept behind one with unsaved text, and opens when its screen is shown next', async () => {
    const { app, bridge, drafts, leave, settle } = await openOther('typed in', 'OTHER_2')
    expect(drafts.edit?.text).toBe('OTHER_2')
    drafts.edit = null
    await settle()
    drafts.addition.name = 'NEW'
    await settle()
    expect(app.kept).toContain('half a certificate')
    leave()
    keepDrafts(bridge, 'workspace of typed in', 'typed in')
    expect(drafts.edit).toMatchObject({ row: { name: 'CERT' }, text: 'half a certificate' })
  })

  test('is offered in a toast, which loses no text of either', async () => {
    const { app, drafts, settle } = await openOther('offered', 'OTHER_2')
    expect(toasts.list).toMatchObject([{ text: 'Found your unsaved change to CERT', action: { name: 'Restore' } }])
    toasts.list[0]?.action?.run()
    await settle()
    expect(drafts.edit).toMatchObject({ row: { name: 'CERT' }, text: 'half a certificate' })
    expect(app.kept).toContain('OTHER_2')
    toasts.list[0]?.action?.run()
    expect(drafts.edit?.text).toBe('OTHER_2')
  })
})

test('a draft that is too long is said to be, once, is not sent again, and stays', async () => {
  const { app, bridge, drafts, settle, typeValue } = setUp('too long')
  app.refusal = tooLarge
  await typeValue('long')
  const why = 'Your unsaved text is too long to survive a lock or restart. Save it before you lock or quit Holdfast.'
  expect(toasts.list.map(({ text }) => text)).toEqual([why])
  toasts.dismiss(toasts.list[0]?.id ?? 0)
  await typeValue('longer')
  // Before a toast would leave by itself.
  expect(toasts.list).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(app.calls).toBe(2)
  await lock(bridge)
  expect(app.isLocked).toBe(false)
  expect(toasts.list.at(-1)?.text).toBe(`Not locked: unsaved text would be lost. ${why}`)
  expect(drafts.edit?.text).toBe('longer')
  app.refusal = null
  await typeValue('short')
  expect(app.kept).toContain('short')
  for (const { id } of toasts.list) toasts.dismiss(id)
  app.refusal = tooLarge
  await typeValue('long again')
  expect(toasts.list.map(({ text }) => text)).toEqual([why])
  app.refusal = null
  drafts.edit = null
  await settle()
})

test('a new variable that is being saved is a draft until it is saved', async () => {
  const { app, drafts, settle } = setUp('added')
  Object.assign(drafts.addition, { name: 'DB_PASSWORD', value: 'typed just now' })
  const answer = Promise.withResolvers<null>()
  void drafts.add(() => answer.promise)
  await settle()
  // As after a lock that came meanwhile.
  const restored = new Drafts()
  restored.adopt(app.kept ?? '{}')
  expect(restored.addition).toMatchObject({ name: 'DB_PASSWORD', value: 'typed just now' })
  answer.resolve(null)
  await settle()
  expect(app.kept).toBe(null)
})

test('a new variable that is refused after its screen was left stays a draft', async () => {
  const { app, drafts, leave, settle } = setUp('refused later')
  Object.assign(drafts.addition, { name: 'PORT', value: '3000' })
  const answer = Promise.withResolvers<AppError>()
  void drafts.add(() => answer.promise)
  await settle()
  leave()
  answer.resolve(diskFull)
  await settle()
  expect(JSON.parse(app.kept ?? '{}')).toMatchObject({ addition: { name: 'PORT', value: '3000', error: diskFull } })
})

test('a new variable that is being saved is saved before its user’s lock', async () => {
  const { app, bridge, drafts, settle } = setUp('added before a lock')
  Object.assign(drafts.addition, { name: 'PORT', value: '3000' })
  const answer = Promise.withResolvers<null>()
  void drafts.add(() => answer.promise)
  const locking = lock(bridge)
  await settle()
  expect(app.isLocked).toBe(false)
  answer.resolve(null)
  await locking
  expect(app).toMatchObject({ isLocked: true, kept: null })
})

test('a text to import is a draft with what is decided in its review, until it is imported or cancelled', async () => {
  const { app, drafts, settle } = setUp('imported')
  const draft = new ImportDraft({ text: 'A=1\nB=2\n', from: 'shop.env', isReviewed: true })
  drafts.imports = [draft]
  Object.assign(draft, { rev: 7, format: 'env', mode: 'replace' })
  draft.leftOut.add('A')
  draft.secretNames.set('B', true)
  await settle()
  const restored = new Drafts()
  restored.adopt(app.kept ?? '{}')
  expect(restored.importing?.toJSON()).toEqual(draft.toJSON())
  draft.leftOut.delete('A')
  await settle()
  expect(app.kept).toContain('"leftOut":[]')
  drafts.imports = []
  await settle()
  expect(app.kept).toBe(null)
  // An open dialog alone is nothing to come back to.
  drafts.imports = [new ImportDraft()]
  await settle()
  expect(app.kept).toBe(null)
  drafts.imports = []
  await settle()
})

test('a text in review keeps what was decided when it is corrected and reviewed again, against the values of now', () => {
  const draft = new ImportDraft({ text: 'A=1\n', isReviewed: true, rev: 7, mode: 'replace', leftOut: ['A'], secretNames: [['A', true]] })
  Object.assign(draft, { isReviewed: false, text: 'A=2\n' })
  draft.review()
  expect(draft.toJSON()).toMatchObject({ isReviewed: true, rev: null, mode: 'replace', leftOut: ['A'], secretNames: [['A', true]] })
})

describe('of the drafts that several pages kept in one place', () => {
  const importOf = (text: string) => new ImportDraft({ text, isReviewed: true }).toJSON()
  const textOf = (text: string) => ({ environmentId: 'e', base: '', text, rev: 1, keepNames: [], isPlain: true })
  const keptBy = (page: string) =>
    JSON.stringify({
      edit: { ...newEdit({ id: 'a', name: 'A', rev: 1, type: 'string' } as never, 0, 'value', 'old'), text: `typed in ${page}` },
      addition: { name: `ADDED_IN_${page}`, value: '', type: 'string', isSecret: false },
      waiting: [],
      waitingEdits: [],
      texts: [textOf(`TEXT_OF=${page}`)],
      imports: [importOf(`IMPORT_OF=${page}`)],
    })

  test('a page shows its own first, then those of closed pages, and keeps all of them as its own', async () => {
    const { app, bridge, drafts, settle } = setUp('several', { kept: keptBy('HERE'), left: { closed: keptBy('CLOSED') } })
    await restoreDrafts(bridge, 'workspace of several')
    await settle()
    expect([drafts.edit?.text, drafts.addition.name, drafts.textOf('e')?.text, drafts.importing?.text]).toEqual([
      'typed in HERE',
      'ADDED_IN_HERE',
      'TEXT_OF=HERE',
      'IMPORT_OF=HERE',
    ])
    expect(toasts.list).toMatchObject([{ text: 'Found your unsaved change to A', action: { name: 'Restore' } }])
    expect([...app.rows.keys()]).toEqual([`several/${pageId}`])
    for (const text of ['typed in CLOSED', 'ADDED_IN_CLOSED', 'TEXT_OF=CLOSED', 'IMPORT_OF=CLOSED']) expect(app.kept).toContain(text)
    drafts.texts = drafts.texts.slice(1)
    drafts.imports = drafts.imports.slice(1)
    expect([drafts.textOf('e')?.text, drafts.importing?.text]).toEqual(['TEXT_OF=CLOSED', 'IMPORT_OF=CLOSED'])
  })

  test('a page neither shows nor replaces those of an open page, and offers them when that is closed', async () => {
    const { app, drafts, typeValue, settle } = setUp('open elsewhere', { left: { open: keptBy('OPEN') }, open: ['open'] })
    await typeValue('typed here')
    expect([drafts.edit?.text, drafts.addition.name]).toEqual(['typed here', ''])
    expect(app.rows.get('open elsewhere/open')).toBe(keptBy('OPEN'))
    expect(app.kept).toContain('typed here')
    app.open.clear()
    app.tell()
    await settle()
    // Nothing opens by itself.
    expect([drafts.importing, drafts.textOf('e'), drafts.addition.name]).toEqual([null, null, ''])
    expect(toasts.list).toMatchObject([{ text: 'Found unsaved text from a closed tab', action: { name: 'Restore' } }])
    app.tell()
    toasts.list[0]?.action?.run()
    await settle()
    expect([drafts.edit?.text, drafts.addition.name, drafts.importing?.text]).toEqual(['typed here', 'ADDED_IN_OPEN', 'IMPORT_OF=OPEN'])
    expect([...app.rows.keys()]).toEqual([`open elsewhere/${pageId}`])
    expect(drafts.imports).toHaveLength(1)
  })

  test('those of a page that was closed meanwhile are adopted when their screen is shown next, at the latest', async () => {
    const { app, bridge, drafts, settle } = setUp('shown later', { left: { open: keptBy('OPEN') }, open: ['open'] })
    await restoreDrafts(bridge, 'workspace of shown later')
    app.open.clear()
    app.tell()
    await settle()
    expect(drafts.edit).toBe(null)
    keepDrafts(bridge, 'workspace of shown later', 'shown later')
    expect(drafts.edit?.text).toBe('typed in OPEN')
  })

  test('a page that is not on screen leaves those of a closed page to others until it is', async () => {
    const { app, bridge, settle } = setUp('hidden', { left: { open: keptBy('OPEN') }, open: ['open'] })
    await restoreDrafts(bridge, 'workspace of hidden')
    app.open.clear()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    app.tell()
    await settle()
    expect([...app.rows.keys()]).toEqual(['hidden/open'])
    hidden.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect([...app.rows.keys()]).toEqual([`hidden/${pageId}/open`])
  })

  test('those of a closed page are deleted only once they are kept', async () => {
    const { app, typeValue, settle } = setUp('refused first', { left: { closed: keptBy('CLOSED') } })
    app.refusal = diskFull
    await typeValue('typed here')
    await vi.advanceTimersByTimeAsync(10_000)
    expect([...app.rows.keys()]).toEqual([`refused first/${pageId}/closed`])
    app.refusal = null
    await vi.advanceTimersByTimeAsync(10_000)
    await settle()
    expect([...app.rows.keys()]).toEqual([`refused first/${pageId}`])
    expect(app.kept).toContain('ADDED_IN_CLOSED')
  })
})

test('forms of a workspace are drafts once something is typed in them', async () => {
  const { app, drafts, settle } = setUp('forms')
  drafts.forms = {
    naming: { of: 'row', id: 'a', rev: 1, text: 'Production', original: 'Production' },
    version: { environmentId: 'e', label: '', note: '' },
    invitation: { email: '', roleId: 'viewer' },
  }
  await settle()
  expect(app.kept).toBe(null)
  Object.assign(drafts.forms.version ?? {}, { note: 'half a note' })
  Object.assign(drafts.forms.naming ?? {}, { text: 'Produ' })
  await settle()
  const restored = new Drafts()
  restored.adopt(app.kept ?? '{}')
  expect(restored.forms).toEqual({
    naming: { of: 'row', id: 'a', rev: 1, text: 'Produ', original: 'Production' },
    version: { environmentId: 'e', label: '', note: 'half a note' },
  })
  drafts.forms = {}
  await settle()
  expect(app.kept).toBe(null)
})

test('what is typed in a place can be discarded wherever it is kept, though no screen shows the place', async () => {
  const left = JSON.stringify({ edit: null, addition: { name: 'LEFT', value: 'half' }, waiting: [], texts: [] })
  const { app, bridge, drafts, settle } = setUp('discarded', { left: { closed: left } })
  await restoreDrafts(bridge, 'workspace of discarded')
  await settle()
  expect(typedPlaces('workspace of discarded')).toEqual(['discarded'])
  expect(await discardDrafts(bridge, 'workspace of discarded', 'discarded')).toMatchObject({ ok: true })
  await settle()
  expect([drafts.typed, [...app.rows], typedPlaces('workspace of discarded')]).toEqual(['', [], []])
})

test('a form of a closed page that this page also types in is neither shown nor deleted, so that the next page restores it', async () => {
  const keptNote = (note: string) => {
    const drafts = new Drafts()
    drafts.forms = { version: { environmentId: 'e', label: '', note } }
    return drafts.toJson() ?? ''
  }
  const { app, bridge, drafts, settle } = setUp('clash', { kept: keptNote('own'), left: { closed: keptNote('of a closed page') } })
  await restoreDrafts(bridge, 'workspace of clash')
  await settle()
  expect(drafts.forms.version?.note).toBe('own')
  expect([...app.rows.keys()].toSorted()).toEqual([`clash/${pageId}`, `clash/${pageId}/closed`])
})
