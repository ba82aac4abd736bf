import vine from '@vinejs/vine'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import type { HttpContext } from '@adonisjs/core/http'
import { Refusal } from '#exceptions/refusal'
import type { Managed } from '#configuration/managed'
import { releaseUsedCode } from '#http/reauthentication'
import { recordRefusedRequest } from '#http/refused_request'
import { errorsOf, type FormErrors } from './form_errors.ts'

export interface Form {
  input: Record<string, any>
  errors: FormErrors
  /** The field to focus; by default the first one of the page. */
  focus?: string
  /** The file that locks fields of the form, if there is one. */
  managed?: Managed | null
}

export const EMPTY_FORM: Form = { input: {}, errors: {} }

interface Submission<Schema extends SchemaTypes, Done> {
  validator: VineValidator<Schema, Record<string, any> | undefined>
  /** The field of each error code; other errors concern the form as a whole. */
  fields?: Record<string, string>
  action: (values: Infer<Schema>) => Promise<Done>
  onError: (form: Form) => unknown
}

export type Outcome<Done> = { ok: true; result: Done } | { ok: false; page: unknown }

/** Shows invalid input and refusals beside the fields; other errors are thrown. */
export async function submit<Schema extends SchemaTypes, Done>(
  ctx: HttpContext,
  { validator, fields = {}, action, onError }: Submission<Schema, Done>
): Promise<Outcome<Done>> {
  const input = inputOf(ctx)
  const [invalid, values] = await validator.tryValidate(input, {
    meta: undefined,
    messagesProvider: ctx.i18n.createMessagesProvider('errors.validation'),
  })
  try {
    if (invalid) throw invalid
    return { ok: true, result: await action(values) }
  } catch (error) {
    const errors = errorsOf(error, fields, ctx.i18n)
    if (!errors) throw error
    if (error instanceof Refusal) await recordRefusedRequest(ctx, error.code!)
    await releaseUsedCode(ctx)
    setStatus(ctx, error)
    ctx.view.share({ errorCount: Object.keys(errors).length })
    const focus = firstInvalid(input, errors)
    return { ok: false, page: await onError({ input, errors, focus }) }
  }
}

/** Fields are sent in the order of the page. */
function firstInvalid(input: Record<string, any>, errors: FormErrors) {
  return Object.keys({ ...input, ...errors }).find((name) => name in errors && name !== 'form')
}

/** A refusal keeps the status that it has in the API; invalid input gets 422. */
function setStatus({ response }: HttpContext, error: unknown) {
  const isRefusal = error instanceof Refusal && error.status !== 400
  response.status(isRefusal ? error.status : 422)
  if (isRefusal && error.headers['retry-after']) {
    response.header('retry-after', error.headers['retry-after'])
  }
}

/** An empty field becomes null. */
export function inputOf({ request }: HttpContext): Record<string, any> {
  const fields = Object.entries(request.body()).filter(([name]) => name !== '_csrf')
  return Object.fromEntries(fields.map(([name, value]) => [name, value === '' ? null : value]))
}

export const noFields = vine.create({})
