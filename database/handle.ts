import { keyFor, mac } from './keyed_hash.ts'

/* Applications name the account of a user by the handle. Migration 0045 also makes handles. */

export const MAX_HANDLE = 63

const HANDLE = /^[a-z0-9][a-z0-9._-]{0,62}$/

export function isHandle(text: unknown): text is string {
  return typeof text === 'string' && HANDLE.test(text)
}

/** Letters whose stroke or ligature is not an accent in Unicode. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
}

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Makes compatibility forms such as full-width letters plain; other alphabets become a hyphen. */
function fold(text: string) {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(LETTER, (letter) => LETTERS[letter])
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MAX_HANDLE)
    .replace(/-+$/, '')
}

export function localPartOf(email: string) {
  return email.slice(0, Math.max(0, email.lastIndexOf('@')))
}

/** @param email null for a service account */
export function handleOf(username: string, email: string | null) {
  if (isHandle(username)) return username
  return fold(username) || fold(localPartOf(email ?? '')) || 'user'
}

export function numbered(handle: string, number: number) {
  const suffix = `-${number}`
  return handle.slice(0, MAX_HANDLE - suffix.length) + suffix
}

/** `a.d-min` must not pass for `admin`. */
export function isOneOf(names: ReadonlySet<string>, handle: string) {
  return names.has(handle.replace(/[._-]/g, ''))
}

const KEY = keyFor('gatehouse handles')

/** Keyed, so that a copy of the table does not reveal which names deleted users had. */
export function hashHandle(handle: string) {
  return mac(KEY, handle).slice(0, 22)
}
