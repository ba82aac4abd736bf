import { findingText, remedyText } from '#health/check_result'
import { inLanguage, withFullStop, type Sentence } from '#i18n/sentences'
import type { I18n } from '@adonisjs/i18n'
import type { Diagnosis } from '#health/diagnostics'

export interface CheckRow {
  /** The name that `doctor` prints. */
  id: string
  title: string
  kind: 'good' | 'warn' | 'bad'
  finding: string
  remedy: string | null
}

const KINDS = { error: 'bad', warning: 'warn', ok: 'good' } as const
const ORDER = ['bad', 'warn', 'good']

/** Returns the most urgent rows first. */
export function checkRows(i18n: I18n, diagnoses: Diagnosis[]): CheckRow[] {
  const rows = diagnoses.map((diagnosis) => checkRow(i18n, diagnosis))
  return rows.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
}

export function checkRow(i18n: I18n, { name, status, meta }: Diagnosis): CheckRow {
  const translate = (sentence: Sentence) => inLanguage(i18n, sentence)
  const remedy = remedyText(meta.remedies, translate)
  return {
    id: name,
    title: checkTitle(i18n, name),
    kind: KINDS[status],
    finding: asSentence(findingText(meta.finding, translate)),
    remedy: remedy ? asSentence(remedy) : null,
  }
}

export function checkTitle(i18n: I18n, name: string) {
  return i18n.t(
    `system.checks.${name.toLowerCase().replaceAll(' ', '_')}`,
    {},
    asSentence(name).slice(0, -1)
  )
}

/** A finding such as “the tables are up to date” completes a line in a terminal. */
function asSentence(text: string) {
  return withFullStop(text.charAt(0).toLocaleUpperCase() + text.slice(1))
}

export interface Verdict {
  kind: CheckRow['kind']
  text: string
}

export function verdictOf(i18n: I18n, rows: CheckRow[]): Verdict {
  const of = (kind: CheckRow['kind']) => rows.filter((row) => row.kind === kind)
  const [failed, warnings] = [of('bad'), of('warn')]
  const kind = failed.length > 0 ? 'bad' : warnings.length > 0 ? 'warn' : 'good'
  const concerned = kind === 'bad' ? failed : warnings
  const names = new Intl.ListFormat(i18n.locale).format(concerned.map(({ title }) => title))
  return { kind, text: i18n.t(`system.verdict.${kind}`, { count: concerned.length, names }) }
}
