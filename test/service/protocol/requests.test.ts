import { expect, test } from 'vitest'
import { memberInvite } from '../../../service/protocol/requests.ts'

test.each([
  { address: 'too long', email: `${'a'.repeat(250)}@example.com`, codes: ['too_big'] },
  { address: 'of four megabytes, whose pattern is never tried,', email: 'a.'.repeat(2_000_000), codes: ['too_big'] },
  { address: 'without a domain', email: 'ada', codes: ['invalid_format'] },
  { address: 'that is right', email: 'ada@example.com', codes: undefined },
])('an e-mail address $address breaks one rule at most', ({ email, codes }) => {
  const judged = memberInvite.safeParse({ email, roleId: 'viewer' })
  expect(judged.error?.issues.map(({ code }) => code)).toEqual(codes)
})
