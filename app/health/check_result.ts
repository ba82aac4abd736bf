import { Result } from '@adonisjs/core/health'
import { closed, inEnglish, type Sentence } from '#i18n/sentences'

/** Sentences after each other; a list within belongs closer together. */
export type Finding = (Sentence | Sentence[])[]

/** What pages translate; `message` and `remedy` are the same in English. */
export interface CheckMeta {
  finding: Finding
  remedies: Sentence[]
  remedy?: string
}

export function passed(...finding: Finding) {
  return withMeta(Result.ok(told(finding, inEnglish)), { finding, remedies: [] })
}

export function warning(finding: Sentence | Finding, ...remedies: Sentence[]) {
  const all = [finding].flat()
  return withMeta(Result.warning(told(all, inEnglish)), { finding: all, remedies })
}

export function failed(finding: Sentence | Finding, ...remedies: Sentence[]) {
  const all = [finding].flat()
  return withMeta(Result.failed(told(all, inEnglish)), { finding: all, remedies })
}

function withMeta(result: Result, { finding, remedies }: Omit<CheckMeta, 'remedy'>) {
  const remedy = remedies.length > 0 ? { remedy: advised(remedies, inEnglish) } : {}
  return result.setMetaData({ finding, remedies, ...remedy })
}

type Language = (sentence: Sentence) => string

export function told(finding: Finding, language: Language) {
  return finding.map((part) => [part].flat().map(language).join(', ')).join('; ')
}

export function advised(remedies: Sentence[], language: Language) {
  return remedies.map((each) => closed(language(each))).join(' ')
}
