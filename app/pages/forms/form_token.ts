import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'

/*
 | A form that creates something carries the id of what it creates. Whoever clicks twice on
 | a slow line sends one id twice, and the primary key lets only one row have it. A secret that
 | comes with it is made of the seed: a browser that sends a form twice shows the second answer
 | alone, which therefore has the same secret as the first.
 */

const PURPOSE = 'form token'
const LIFETIME = '1h'

interface FormToken {
  id: string
  /** 256 random bits. */
  seed: string
  /** The user whose form it is: an id of somebody else's form is not used. */
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

/** The id in the token of a submitted form; undefined without a token or after its lifetime. */
export function idOfForm(ctx: HttpContext) {
  return openToken(ctx)?.id
}

/** The seed in it, likewise. */
export function seedOfForm(ctx: HttpContext) {
  return openToken(ctx)?.seed
}
