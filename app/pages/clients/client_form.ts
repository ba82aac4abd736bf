import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import type { ClientSettings, OAuthClient } from '#oidc/clients/client'

/* Lists of addresses are lines of a text field, lists of words are checkboxes. */

const FIELDS = [
  'name',
  'kind',
  'redirectUris',
  'postLogoutRedirectUris',
  'grantTypes',
  'scopes',
  'tokenEndpointAuthMethod',
  'backchannelLogoutUri',
  'serviceAccountId',
] as const satisfies (keyof ClientSettings)[]

type Field = (typeof FIELDS)[number]

export function inputOfClient(settings: Partial<ClientSettings>): Record<string, any> {
  const { redirectUris = [], postLogoutRedirectUris = [], ...others } = settings
  return {
    ...others,
    redirectUris: redirectUris.join('\n'),
    postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
  }
}

/** A form that was open for long sends these digests back, so that it changes only edited fields. */
export function digestsOf(client: OAuthClient) {
  const input = inputOfClient(client)
  return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, digestOf(input[field])])))
}

/** Browsers send lines with CRLF, and nothing for an empty field or an unticked box. */
function digestOf(value: unknown) {
  const text = Array.isArray(value) ? value.toSorted().join('\n') : String(value ?? '')
  const lines = text.replaceAll('\r\n', '\n').trim()
  return createHash('sha256').update(lines).digest('base64url').slice(0, 16)
}

export function changedOnly(ctx: HttpContext, values: ClientSettings): Partial<ClientSettings> {
  const given = ctx.request.body()
  const shown = shownDigests(given.shown)
  const changed = FIELDS.filter((field) => shown[field] !== digestOf(given[field]))
  return Object.fromEntries(changed.map((field) => [field, values[field]]))
}

/** @throws E_BAD_REQUEST for a text that no page of ours has written */
function shownDigests(shown: unknown): Partial<Record<Field, string>> {
  try {
    return Object(JSON.parse(String(shown ?? '{}')))
  } catch {
    throw new E_BAD_REQUEST()
  }
}
