import documentation from '#config/documentation'
import { hasTestedMail } from '#mails/test_mail'
import { writesMailFiles } from '#mails/mail_file'
import { checklistMarks } from '#users/installation'
import { countByRole } from '#users/list/count_by_role'
import type User from '#models/user'

/** A step of the first run; it is done when what it asks for is so, whoever did it. */
export interface ChecklistStep {
  title: string
  text: string
  isDone: boolean
  /** What leads to it: a page, or a form that is sent by POST. */
  link?: { path: string; text: string }
  form?: { path: string; text: string }
}

/** The steps of the first run; null once all are done, or when they were dismissed. */
export async function firstRunChecklist(administrator: User): Promise<ChecklistStep[] | null> {
  const { isDismissed, hasOpenedDocs } = await checklistMarks()
  if (isDismissed) return null
  const steps = [
    secondFactor(administrator),
    mail(await hasTestedMail()),
    company(await countByRole()),
    ...(documentation.access === 'off' ? [] : [docs(hasOpenedDocs)]),
  ]
  return steps.every(({ isDone }) => isDone) ? null : steps
}

function secondFactor({ mfaEnabled }: User): ChecklistStep {
  return {
    title: 'Turn on your second factor',
    text: 'A stolen password alone is then not enough to administer all accounts.',
    isDone: Boolean(mfaEnabled),
    link: { path: '/admin/account/security', text: 'Set up' },
  }
}

function mail(isTested: boolean): ChecklistStep {
  const step = { title: 'Send mail', isDone: isTested }
  return writesMailFiles
    ? { ...step, text: 'Mails become files until SMTP_HOST is set and the server started again.' }
    : {
        ...step,
        text: 'A test mail to your own address proves that the mail server takes mails.',
        form: { path: '/admin/mails/test', text: 'Send a test mail' },
      }
}

function company(users: number): ChecklistStep {
  return {
    title: 'Invite somebody',
    text: 'A second administrator can let you in again when you are locked out.',
    isDone: users > 1,
    link: { path: '/admin/users/invite', text: 'Invite' },
  }
}

function docs(isDone: boolean): ChecklistStep {
  return {
    title: 'Read the documentation',
    text: 'Every request of the API, to try out in the browser.',
    isDone,
    form: { path: '/admin/checklist/docs', text: 'Open' },
  }
}
