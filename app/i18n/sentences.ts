import { readFileSync } from 'node:fs'
import { CachedFormatter } from './cached_formatter.ts'
import type { I18n } from '@adonisjs/i18n'

/* Findings and remedies: in English in logs and terminals, on pages in the reader's language. */

export interface Sentence {
  /** In `resources/lang/<language>/doctor.json`. */
  key: string
  values: Record<string, string | number>
  /** What an operator can search for, such as “ (ECONNREFUSED 127.0.0.1:5432)”. Not translated. */
  detail: string
}

export function sentence(key: string, values: Sentence['values'] = {}, detail = ''): Sentence {
  return { key, values, detail }
}

const FILE = new URL('../../resources/lang/en/doctor.json', import.meta.url)

const formatter = new CachedFormatter()

let messages: Record<string, any> | undefined

/** Works even before the product has started, when no language is loaded. */
export function inEnglish({ key, values, detail }: Sentence): string {
  messages ??= JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, any>
  const message = key.split('.').reduce<any>((part, name) => part[name], messages) as string
  return formatter.format(message, 'en', values) + detail
}

export function inLanguage(i18n: I18n, { key, values, detail }: Sentence): string {
  return i18n.t(`doctor.${key}`, values) + detail
}

/** Ends the text, so that another sentence may follow. */
export function withFullStop(text: string) {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
