import { randomInt } from 'node:crypto'
import { brokenRules } from './policy.ts'

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*'
const LENGTH = 16

/**
 * Generates a random password of the specification's length and alphabet. One that breaks a
 * rule of the policy is discarded as a whole: replacing single characters would make some
 * positions easier to guess than others.
 */
export function generatePassword(): string {
  const password = Array.from(
    { length: LENGTH },
    () => CHARACTERS[randomInt(CHARACTERS.length)]
  ).join('')
  return brokenRules(password).length === 0 ? password : generatePassword()
}
