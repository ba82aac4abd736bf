import { createHmac, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'

/*
 | A form carries the id of what it creates, so that a double click creates one row. The seed
 | derives its secret, because the browser shows only the second answer.
 */

const PURPOSE = 'form token'
const LIFETIME = '1h'

interface FormToken {
  id: string
  /** 256 random bits. */
  seed: string
  /** An id in the form of another user is not used. */
  ownerId: string
}

function ownerOf({ auth }: HttpContext) {
  return auth.use('web').getUserOrFail().user.id
}

export function issueFormToken(ctx: HttpContext) {
  const seed = randomBytes(32).toString('base64url')
  const token: FormToken = { id: uuidv7(), seed, ownerId: ownerOf(ctx) }
  return encryption.encrypt(token, LIFETIME, PURPOSE)
}

function openToken(ctx: HttpContext): FormToken | null {
  const { formToken } = ctx.request.body()
  const token =
    typeof formToken === 'string' ? encryption.decrypt<FormToken>(formToken, PURPOSE) : null
  return token?.ownerId === ownerOf(ctx) ? token : null
}

/**
 * A form that is filled in again, after a step back in the browser, creates another row.
 * @returns undefined without a token or after its lifetime
 */
export function filledForm(ctx: HttpContext, values: object) {
  const token = openToken(ctx)
  if (!token) return undefined
  const { id, seed } = token
  const digest = createHmac('sha256', seed).update(JSON.stringify(values)).digest()
  return { id: uuidv7({ random: digest.subarray(0, 16), msecs: timeOf(id) }), seed }
}

/** The first 48 bits of a UUID of version 7. */
function timeOf(id: string) {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

export function seedOfForm(ctx: HttpContext) {
  return openToken(ctx)?.seed
}
