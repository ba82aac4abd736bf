import { TEMPLATES } from './templates.ts'
import type { TemplateName } from './contents.ts'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'

export const UNDO_KINDS = kindsWith((purpose) => purpose === 'email_change_undo')

export const REPORT_KINDS = kindsWith((purpose) => purpose === 'sign_in_report')

export const LINK_KINDS = kindsWith(() => true)

function kindsWith(isMeant: (purpose: OneTimePurpose) => boolean) {
  const kinds = Object.keys(TEMPLATES) as TemplateName[]
  return kinds.filter((kind) => {
    const { link } = TEMPLATES[kind]
    return link && isMeant(link.purpose)
  })
}
