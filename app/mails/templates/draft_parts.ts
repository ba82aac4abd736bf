import { richText, untaggedText } from '#i18n/rich_text'
import type { I18n } from '@adonisjs/i18n'
import type { Contents } from '#mails/mail_row'
import type { TemplateName } from './contents.ts'

const PARTS = ['what', 'removed', 'facts', 'if_you', 'if_not_you'] as const

const FACTS: Partial<Record<TemplateName, Record<string, string>>> = {
  address_code: {
    code: 'code',
    application: 'application',
    deviceName: 'deviceName',
    startedAt: 'time',
  },
  new_device: { deviceName: 'deviceName', ip: 'ip', signedInAt: 'time' },
  sign_in_abandoned: { deviceName: 'deviceName', ip: 'ip', startedAt: 'time' },
}

export interface Part {
  html?: unknown
  text: string
  facts?: string[][]
}

/** Wrong codes need other texts than wrong passwords, and a taken address than a free one. */
export function groupOf(kind: TemplateName, contents: Contents) {
  if ('isTaken' in contents) return 'email_change_taken'
  const isByCode = 'reason' in contents && contents.reason === 'code'
  return kind === 'account_locked' && isByCode ? 'account_locked_code' : kind
}

interface Group {
  kind: TemplateName
  key: string
  values: Record<string, unknown>
}

export function partsOf(i18n: I18n, { kind, key, values }: Group): Part[] {
  const parts = PARTS.map((name): Part | null => {
    if (name === 'facts') return factsOf(i18n, FACTS[kind], values)
    if (!i18n.hasFallbackMessage(`${key}.${name}`)) return null
    const text = untaggedText(i18n, `${key}.${name}`, values)
    return { html: richText(i18n, `${key}.${name}`, values), text }
  })
  return parts.filter((part) => part !== null && part.text !== '') as Part[]
}

function factsOf(i18n: I18n, labels: Record<string, string> | undefined, values: object) {
  if (!labels) return null
  const facts = Object.entries(labels).map(([name, label]) => [
    i18n.t(`mails.facts.${label}`),
    String(values[name as keyof typeof values]),
  ])
  const rows = facts.filter(([, value]) => value !== '')
  return { facts: rows, text: rows.map(([label, value]) => `  ${label}: ${value}`).join('\n') }
}
