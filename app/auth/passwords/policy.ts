import passwords from '#config/passwords'
import { isBlocked } from './blocklist.ts'

/** NFC: devices encode the same “é” as one or two code points (NIST 800-63B, 5.1.1.2). */
export function normalizePassword(password: string) {
  return password.normalize('NFC')
}

interface PolicyRule {
  rule: string
  message: string
  /** Numbers for translations of the message. */
  terms?: Record<string, number>
  isMetBy: (password: string) => boolean
}

// Counts an emoji as one character and not two.
function codePoints(password: string) {
  return [...password].length
}

const LENGTH_RULES: PolicyRule[] = [
  {
    rule: 'minLength',
    terms: { min: passwords.minLength },
    message: `Password must be at least ${passwords.minLength} characters long`,
    isMetBy: (password) => codePoints(password) >= passwords.minLength,
  },
  {
    rule: 'maxLength',
    terms: { max: passwords.maxLength },
    message: `Password must not be longer than ${passwords.maxLength} characters`,
    isMetBy: (password) => codePoints(password) <= passwords.maxLength,
  },
]

const COMPOSITION_RULES: PolicyRule[] = [
  {
    rule: 'uppercase',
    message: 'Password must contain at least one uppercase letter',
    isMetBy: (password) => /\p{Lu}/u.test(password),
  },
  {
    rule: 'lowercase',
    message: 'Password must contain at least one lowercase letter',
    isMetBy: (password) => /\p{Ll}/u.test(password),
  },
  {
    rule: 'digit',
    message: 'Password must contain at least one digit',
    isMetBy: (password) => /[0-9]/.test(password),
  },
  {
    rule: 'special',
    message: 'Password must contain at least one special character of !@#$%^&*',
    isMetBy: (password) => /[!@#$%^&*]/.test(password),
  },
]

const RULES: PolicyRule[] = [
  ...LENGTH_RULES,
  ...(passwords.policy === 'composition' ? COMPOSITION_RULES : []),
  {
    rule: 'blocklist',
    message: 'Password must not be one that is guessed first',
    isMetBy: (password) => !isBlocked(password),
  },
]

/** Skips a far too long text, because normalising may take the square of its length. */
export function brokenRules(password: string) {
  if (password.length > 4 * passwords.maxLength) return RULES.filter(isMaxLength)
  const normalized = normalizePassword(password)
  return RULES.filter((rule) => !rule.isMetBy(normalized))
}

function isMaxLength({ rule }: PolicyRule) {
  return rule === 'maxLength'
}
