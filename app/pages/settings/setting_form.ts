import type { HttpContext } from '@adonisjs/core/http'
import { CARDS, type Card } from './setting_fields.ts'
import { readTypedSecret } from './typed_secret.ts'

/* A form carries what its fields showed at first, so that it changes only what was typed. */

export const BEFORE = 'before_'

const PASSWORD = 'SMTP_PASSWORD'

/** An empty field unsets its setting. */
export function changesOf(ctx: HttpContext, card: Card): Record<string, string | null> {
  const typed = Object.entries(typedFields(ctx, card))
  const changes = Object.fromEntries(typed.map(([name, text]) => [name, text || null]))
  return card === 'mail' ? { ...changes, ...passwordOf(ctx) } : changes
}

function isChanged(ctx: HttpContext, name: string) {
  const body = ctx.request.body()
  return name in body && textOf(ctx, name) !== textOf(ctx, BEFORE + name)
}

/** A saved password stays unless another one is typed, or its box is ticked. */
function passwordOf(ctx: HttpContext): Record<string, string | null> {
  if (ctx.request.input('remove_password')) return { [PASSWORD]: null }
  const typed = readTypedSecret(ctx, PASSWORD)
  return typed === null ? {} : { [PASSWORD]: typed }
}

function textOf({ request }: HttpContext, name: string) {
  const value = request.input(name, '')
  return typeof value === 'string' ? value.trim() : ''
}

/** Keeps the typed fields; the others show what another administrator has stored since. */
export function typedInput(ctx: HttpContext, card: Card, stored: Record<string, string>) {
  return { ...stored, ...typedFields(ctx, card) }
}

function typedFields(ctx: HttpContext, card: Card): Record<string, string> {
  const changed = CARDS[card].filter((name) => name !== PASSWORD && isChanged(ctx, name))
  return Object.fromEntries(changed.map((name) => [name, textOf(ctx, name)]))
}
