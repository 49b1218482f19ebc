import { expect, test } from 'vitest'
import { memberInvite } from '../../../service/protocol/requests.ts'

test.each([
  { address: 'one that is too long', email: `${'a'.repeat(250)}@example.com`, codes: ['too_big'] },
  { address: 'one of megabytes, whose pattern is never tried', email: 'a.'.repeat(2_000_000), codes: ['too_big'] },
  { address: 'a text that is none', email: 'ada', codes: ['invalid_format'] },
  { address: 'one that is right', email: 'ada@example.com', codes: undefined },
])('of e-mail addresses, $address is judged by one rule', ({ email, codes }) => {
  const judged = memberInvite.safeParse({ email, roleId: 'viewer' })
  expect(judged.error?.issues.map(({ code }) => code)).toEqual(codes)
})
