import { listOf, record } from '../schema.ts'
import { instant, text, textOrNull } from './fields.ts'

/** A reset lists the sign-in methods that it left, which the owner may not know. */
export const passwordSet = record({
  message: { type: 'string', example: 'Password set' },
  identities: listOf(
    record({
      provider: { ...text, example: 'google' },
      email: { ...textOrNull, example: 'ada@example.org' },
      linkedAt: instant,
    })
  ),
  passkeys: listOf(
    record({
      name: { ...text, example: 'My phone' },
      holder: { ...textOrNull, example: 'Apple Passwords' },
      createdAt: instant,
    })
  ),
  apiKeys: listOf(
    record({
      name: { ...text, example: 'Nightly report' },
      createdAt: instant,
      expiresAt: instant,
    })
  ),
})
