import { record } from '../schema.ts'
import { instant, text, textOrNull } from './fields.ts'

export const identity = record({
  provider: { ...text, example: 'google' },
  issuer: { ...text, example: 'https://accounts.google.com' },
  subject: { ...text, example: '110169484474386276334' },
  email: { ...textOrNull, example: 'ada@example.org' },
  linkedAt: instant,
  lastUsedAt: instant,
})
