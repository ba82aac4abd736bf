import documentation from '#config/documentation'
import { canProveTwoFactors } from '#auth/sessions/required_factors'
import { hasTestedMail } from '#mails/queue/test_mail'
import { writesMailFiles } from '#mails/log/mail_file'
import { checklistMarks, markChecklist } from '#users/installation'
import { hasInvited } from '#users/invitations'
import type { I18n } from '@adonisjs/i18n'
import type User from '#models/user'

export interface ChecklistStep {
  title: string
  text: string
  isDone: boolean
  link?: { path: string; text: string }
  form?: { path: string; text: string }
}

/** @returns null once all steps are done or the list was dismissed */
export async function firstRunChecklist(
  administrator: User,
  i18n: I18n
): Promise<ChecklistStep[] | null> {
  const { isDismissed, hasOpenedDocs } = await checklistMarks()
  if (isDismissed) return null
  const steps = [
    secondFactor(administrator, i18n),
    mail(await hasTestedMail(), i18n),
    invitation(await hasInvited(), i18n),
    ...(documentation.access === 'off' ? [] : [docs(hasOpenedDocs, i18n)]),
  ]
  if (!steps.every(({ isDone }) => isDone)) return steps
  /** Stored, because the rows that prove the steps expire: test mails after 30 days, events by retention. */
  await markChecklist('checklist_dismissed_at')
  return null
}

function secondFactor(user: User, i18n: I18n): ChecklistStep {
  return {
    title: i18n.t('console.steps.mfa.title'),
    text: i18n.t('console.steps.mfa.text'),
    isDone: canProveTwoFactors(user),
    link: { path: '/admin/account/security', text: i18n.t('console.steps.mfa.link') },
  }
}

function mail(isTested: boolean, i18n: I18n): ChecklistStep {
  const step = { title: i18n.t('console.steps.mail.title'), isDone: isTested }
  return writesMailFiles()
    ? { ...step, text: i18n.t('console.steps.mail.files') }
    : {
        ...step,
        text: i18n.t('console.steps.mail.text'),
        form: { path: '/admin/mails/test', text: i18n.t('console.mails.send_test') },
      }
}

function invitation(isDone: boolean, i18n: I18n): ChecklistStep {
  return {
    title: i18n.t('console.steps.invite.title'),
    text: i18n.t('console.steps.invite.text'),
    isDone,
    link: { path: '/admin/users/invite', text: i18n.t('console.steps.invite.link') },
  }
}

function docs(isDone: boolean, i18n: I18n): ChecklistStep {
  return {
    title: i18n.t('console.steps.docs.title'),
    text: i18n.t('console.steps.docs.text'),
    isDone,
    form: { path: '/admin/checklist/docs', text: i18n.t('console.steps.docs.link') },
  }
}
