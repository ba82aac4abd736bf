import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import {
  FIELD_NAMES,
  mapFields,
  type FieldName,
  type FieldType,
  type NewClient,
} from '#oidc/clients/client_fields'
import { isPublic, type ClientSettings, type OAuthClient } from '#oidc/clients/client'

/* Lists of addresses and claims are lines of a text field, lists of words are checkboxes, keys are JSON. */

export function inputOfClient(settings: ClientSettings): Record<string, any> {
  return mapFields((name, { type }) => inputOf(type, settings[name]))
}

/** A ticked box sends `true`, and an unticked one nothing. */
function inputOf(type: FieldType['type'], value: any) {
  if (type === 'uris' || type === 'groups') return value.join('\n')
  if (type === 'claims')
    return Object.entries(value)
      .map(([name, source]) => `${name}: ${source}`)
      .join('\n')
  if (type === 'keys') return value && JSON.stringify(value, null, 2)
  return type === 'switch' ? value || null : value
}

/** A form that was open for long sends these digests back, so that it changes only edited fields. */
export function digestsOf(client: OAuthClient) {
  const input = inputOfClient(client)
  return JSON.stringify(
    Object.fromEntries(FIELD_NAMES.map((field) => [field, digestOf(input[field])]))
  )
}

/** Browsers send lines with CRLF, and nothing for an empty field or an unticked box. */
function digestOf(value: unknown) {
  const text = Array.isArray(value) ? value.toSorted().join('\n') : String(value ?? '')
  const lines = text.replaceAll('\r\n', '\n').trim()
  return createHash('sha256').update(lines).digest('base64url').slice(0, 16)
}

/** Omits `requirePkce` for a client without a secret: its box was shown before that was chosen. */
export function newClientOf(values: ClientSettings & NewClient): NewClient {
  const { requirePkce, ...others } = values
  return isPublic(values) ? others : values
}

/** A form of an earlier release neither shows nor sends the fields that were added since. */
export function changedOnly(ctx: HttpContext, values: ClientSettings): Partial<ClientSettings> {
  const given = ctx.request.body()
  const shown = shownDigests(given.shown)
  const changed = FIELD_NAMES.filter((field) =>
    field in shown ? shown[field] !== digestOf(given[field]) : field in given
  )
  return Object.fromEntries(changed.map((field) => [field, values[field]]))
}

/** @throws E_BAD_REQUEST for a text that no page of ours has written */
function shownDigests(shown: unknown): Partial<Record<FieldName, string>> {
  try {
    return Object(JSON.parse(String(shown ?? '{}')))
  } catch {
    throw new E_BAD_REQUEST()
  }
}
