import { Result } from '@adonisjs/core/health'
import type { HealthCheckResult } from '@adonisjs/core/types/health'
import { inEnglish, withFullStop, type Sentence } from '#i18n/sentences'

/** Sentences in their order. Sentences of a nested list belong closer together. */
export type Finding = (Sentence | Sentence[])[]

/** The parts that pages translate. `message` and `remedy` contain the same in English. */
export interface CheckMeta {
  finding: Finding
  remedies: Sentence[]
  remedy?: string
}

export type CheckResult = HealthCheckResult & { meta: CheckMeta }

export function passed(...finding: Finding) {
  return withMeta(Result.ok(findingText(finding, inEnglish)), { finding, remedies: [] })
}

export function warning(finding: Sentence | Finding, ...remedies: Sentence[]) {
  const all = [finding].flat()
  return withMeta(Result.warning(findingText(all, inEnglish)), { finding: all, remedies })
}

export function failed(finding: Sentence | Finding, ...remedies: Sentence[]) {
  const all = [finding].flat()
  return withMeta(Result.failed(findingText(all, inEnglish)), { finding: all, remedies })
}

function withMeta(result: Result, { finding, remedies }: Omit<CheckMeta, 'remedy'>): CheckResult {
  const remedy = remedies.length > 0 ? { remedy: remedyText(remedies, inEnglish) } : {}
  return Object.assign(result, { meta: { finding, remedies, ...remedy } })
}

type Translate = (sentence: Sentence) => string

export function findingText(finding: Finding, translate: Translate) {
  return finding.map((part) => [part].flat().map(translate).join(', ')).join('; ')
}

export function remedyText(remedies: Sentence[], translate: Translate) {
  return remedies.map((each) => withFullStop(translate(each))).join(' ')
}
