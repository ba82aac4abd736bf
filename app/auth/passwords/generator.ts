import { randomInt } from 'node:crypto'
import { brokenRules } from './policy.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*'
const LENGTH = 16

/**
 * A random password of the specification's length and alphabet. One that breaks a rule of
 * the policy is thrown away whole: mending it would favour some places over others.
 */
export function generatePassword(): string {
  const password = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return brokenRules(password).length === 0 ? password : generatePassword()
}
