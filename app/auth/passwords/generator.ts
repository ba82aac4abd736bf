import { randomInt } from 'node:crypto'
import { brokenRules } from './policy.ts'

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*'
const LENGTH = 16

/** Discards a password that breaks a rule: replaced characters would be easier to guess. */
export function generatePassword(): string {
  const password = Array.from(
    { length: LENGTH },
    () => CHARACTERS[randomInt(CHARACTERS.length)]
  ).join('')
  return brokenRules(password).length === 0 ? password : generatePassword()
}
