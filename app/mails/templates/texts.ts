import brand from '#config/brand'
import { appUrl } from '#config/app'
import { formatLifetime } from '#i18n/format'
import { wrap } from './format.ts'
import { subjectOf } from './subject.ts'
import { mailValues } from './values.ts'
import type { I18n } from '@adonisjs/i18n'
import type { Contents, MailRow } from '#mails/mail_row'
import { groupOf, partsOf, type Part } from './draft_parts.ts'

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
