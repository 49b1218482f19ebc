import { expect, test } from 'vitest'
import { putBase } from '../../../electron/mirror/base-layer.ts'
import { environmentsOf } from '../../../electron/mirror/reads/compare-columns.ts'
import { listParents } from '../../../electron/mirror/reads/list-parents.ts'
import { refreshRow } from '../../../electron/mirror/working-layer.ts'
import { newMirror } from '../temp-file.ts'

const slugs = ['prod-2', 'prod-10', 'prod']

test.each([slugs, slugs.toReversed()])(
  'environments of one name are in the order of their slugs, in whatever order they came: %s, %s, %s',
  async (...came) => {
    const mirror = newMirror()
    const stamps = { etag: null, createdAt: null, updatedAt: null, updatedBy: null }
    mirror.write((tx) => {
      putBase(tx, { id: '0', kind: 'project', parentId: null, remoteId: 'r0', fields: { name: 'Shop', slug: 'shop' }, ...stamps })
      for (const [at, slug] of came.entries())
        putBase(tx, {
          id: `${at + 1}`,
          kind: 'environment',
          parentId: '0',
          remoteId: `r${at + 1}`,
          fields: { name: 'Prod', slug },
          ...stamps,
        })
      for (const id of ['0', '1', '2', '3']) refreshRow(tx, id)
    })
    const inOrder = ['prod', 'prod-2', 'prod-10']
    expect((await listParents(mirror, 'environment')).map(({ slug }) => slug)).toEqual(inOrder)
    expect((await environmentsOf(mirror, '0')).map(({ slug }) => slug)).toEqual(inOrder)
  },
)
