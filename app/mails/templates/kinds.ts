import { TEMPLATES } from './templates.ts'
import type { TemplateName } from './contents.ts'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'

export const UNDO_KINDS = kindsWith((purpose) => purpose === 'email_change_undo')

export const REPORT_KINDS = kindsWith((purpose) => purpose === 'sign_in_report')

export const LINK_KINDS = kindsWith(() => true)

export const OUTLIVING_KINDS = allKinds().filter((kind) => TEMPLATES[kind].outlivesUser)

function allKinds() {
  return Object.keys(TEMPLATES) as TemplateName[]
}

function kindsWith(isMeant: (purpose: OneTimePurpose) => boolean) {
  return allKinds().filter((kind) => {
    const { link } = TEMPLATES[kind]
    return link && isMeant(link.purpose)
  })
}
