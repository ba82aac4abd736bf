import type { I18n } from '@adonisjs/i18n'
import { checklistMarks, markChecklist } from '#users/installation'
import type User from '#models/user'
import { stepStates, type StepName, type StepState } from './first_run_steps.ts'

export interface ChecklistStep {
  name: StepName
  title: string
  text: string
  isDone: boolean
  isSkipped: boolean
  link?: { path: string; text: string }
  form?: { path: string; text: string }
}

/** @returns null if all steps are done or skipped, or the list was dismissed */
export async function firstRunChecklist(
  administrator: User,
  i18n: I18n,
  origin: string | null = null
): Promise<ChecklistStep[] | null> {
  const { isDismissed, hasOpenedDocs, skipped } = await checklistMarks()
  if (isDismissed) return null
  const states = await stepStates({ administrator, origin, hasOpenedDocs })
  const steps = [...states].map(([name, state]) => toStep(i18n, name, { state, skipped }))
  if (!steps.every(({ isDone, isSkipped }) => isDone || isSkipped)) return steps
  /** Stored, because the rows that prove the steps expire: test mails after 30 days, events by retention. */
  await markChecklist('checklist_dismissed_at')
  return null
}

interface Known {
  state: StepState
  skipped: Set<string>
}

function toStep(i18n: I18n, name: StepName, { state, skipped }: Known): ChecklistStep {
  const key = `first_run.${name}`
  const { isDone, text = 'text', values, link, form } = state
  const action = i18n.t(state.action ?? `${key}.do`)
  return {
    name,
    title: i18n.t(`${key}.title`),
    text: i18n.t(`${key}.${text}`, values),
    isDone,
    isSkipped: !isDone && skipped.has(name),
    ...(link && { link: { path: link, text: action } }),
    ...(form && { form: { path: form, text: action } }),
  }
}
