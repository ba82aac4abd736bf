import brand from '#config/brand'
import { appUrl } from '#config/app'
import { formatLifetime } from '#i18n/format'
import { wrap } from './format.ts'
import { subjectOf } from './subject.ts'
import { mailValues } from './values.ts'
import { richText, untaggedText } from '#i18n/rich_text'
import type { I18n } from '@adonisjs/i18n'
import type { Contents, MailRow } from '#mails/mail_row'
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

export interface MailLink {
  link: string
  /** In milliseconds. */
  validFor: number
}

interface Draft {
  row: MailRow
  contents: Contents
  name: string | null
  link: MailLink | null
  code?: string
}

interface Part {
  html?: unknown
  text: string
  facts?: string[][]
}

export function textsOf(i18n: I18n, { row, contents, name, link, code }: Draft) {
  const { recipient } = row
  const key = `mails.${groupOf(row.kind, contents)}`
  const given = { recipient, code, href: `${appUrl}/forgot-password` }
  const values = { ...given, ...mailValues(i18n, contents) }
  const texts = {
    subject: subjectOf(i18n, groupOf(row.kind, contents)),
    greeting: i18n.t('mails.greeting', { named: String(name !== null), name: name ?? '' }),
    parts: partsOf(i18n, { kind: row.kind, key, values }),
    footer: i18n.t('mails.footer', { recipient, appUrl }),
    action: link && actionOf(i18n, key, link),
  }
  return { ...texts, brand, locale: i18n.locale, text: plainVersion(texts) }
}

/** Wrong codes need other texts than wrong passwords, and a taken address than a free one. */
function groupOf(kind: TemplateName, contents: Contents) {
  if ('isTaken' in contents) return 'email_change_taken'
  const isByCode = 'reason' in contents && contents.reason === 'code'
  return kind === 'account_locked' && isByCode ? 'account_locked_code' : kind
}

interface Group {
  kind: TemplateName
  key: string
  values: Record<string, unknown>
}

function partsOf(i18n: I18n, { kind, key, values }: Group): Part[] {
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

function actionOf(i18n: I18n, key: string, { link, validFor }: MailLink) {
  return {
    link,
    button: i18n.t(`${key}.button`),
    validity: i18n.t('mails.link_validity', { validFor: formatLifetime(i18n.locale, validFor) }),
    copy: i18n.t('mails.copy_link'),
  }
}

type Texts = {
  greeting: string
  parts: Part[]
  footer: string
  action: ReturnType<typeof actionOf> | null
}

function plainVersion({ greeting, parts, footer, action }: Texts) {
  const paragraphs = parts.map(({ text, facts }) => (facts ? text : wrap(text)))
  const ending = action ? [`${action.button}:\n${action.link}`, wrap(action.validity)] : []
  return [greeting, ...paragraphs, ...ending, `-- \n${wrap(footer)}`].join('\n\n')
}
