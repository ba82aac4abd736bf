import { assertFields } from '#oidc/clients/assert_settings'
import { withDefaults, type NewClient } from '#oidc/clients/client_fields'
import { assertRedirectUris } from '#oidc/clients/redirect_uris'
import { isSecretDigest } from '#oidc/clients/secret_digests'
import { isStrongSecret } from '#oidc/clients/secrets'
import { clientEntryValidator } from '#validators/configuration'
import { Refusal } from '#exceptions/refusal'
import type { ExportedEntry } from '#configuration/export/export'

/* Clients of another product, in the form of a configuration file. */

export interface ImportedClient {
  fields: Record<string, unknown>
  /** What cannot be taken, one line each. */
  notes: string[]
  /** In clear, or as a hash that can be verified. */
  secret: string | null
  /** Whether nothing of the client can be taken. */
  isLeftOut: boolean
}

export interface Imported {
  groups: ExportedEntry[]
  serviceAccounts: ExportedEntry[]
  clients: ImportedClient[]
}

/** The file is no export of the product. The message is shown after its name. */
export class UnknownExport extends Error {}

export type JsonObject = Record<string, any>

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asStrings(value: unknown): string[] {
  return asArray(value).filter((each) => typeof each === 'string')
}

/** Both products also write booleans as texts. */
export function isOn(value: unknown) {
  return value === true || value === 'true'
}

/** Files kept in git name a variable or a file: `${NAME}`, `$(env:NAME)`, `$NAME`, `{{ secret … }}`. */
const PLACEHOLDERS = [/\$\{[^{}]*\}/, /\$\([^()]*\)/, /^\$[A-Z_][A-Z0-9_]*$/, /\{\{.*\}\}/s]

/** Longer than any secret, and short enough for the patterns. */
const LONGEST_PLACEHOLDER = 1_000

function isPlaceholder(secret: string) {
  const start = secret.slice(0, LONGEST_PLACEHOLDER)
  return PLACEHOLDERS.some((pattern) => pattern.test(start))
}

export class ClientDraft {
  readonly fields: Record<string, unknown> = {}
  readonly notes: string[] = []
  secret: string | null = null
  isLeftOut = false
  #lacksAddress = false

  constructor(clientId: string, name: unknown) {
    this.fields.clientId = clientId
    this.fields.name = typeof name === 'string' && name.trim() !== '' ? name.trim() : clientId
  }

  note(field: string, why: string) {
    this.notes.push(`${field}: ${why}`)
  }

  leaveOut(why: string) {
    this.notes.push(why)
    this.isLeftOut = true
  }

  set(fields: Record<string, unknown>) {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) this.fields[name] = value
  }

  /** Checks each address separately, so that a refused address does not exclude the others. */
  setAddresses(field: 'redirectUris' | 'postLogoutRedirectUris', uris: string[]) {
    const unique = [...new Set(uris)]
    const isPrivate = unique.some((uri) => /^http:/i.test(uri) && this.#refusalOf(uri, false))
    const allowHttp = isPrivate && unique.some((uri) => !this.#refusalOf(uri, true))
    const taken = unique.filter((uri) => {
      const refusal = this.#refusalOf(uri, true)
      if (refusal) this.note(field, refusal)
      return refusal === null
    })
    if (taken.length > 0) this.fields[field] = taken
    else if (field === 'redirectUris') this.#lacksAddress = unique.length > 0
    if (allowHttp && taken.some((uri) => this.#refusalOf(uri, false))) this.fields.allowHttp = true
  }

  #refusalOf(uri: string, allowHttp: boolean) {
    if (uri.includes('*')) return `${uri} is a pattern: write each address instead`
    const one = { redirectUris: [uri], postLogoutRedirectUris: [], allowHttp }
    const settings = withDefaults({ ...this.#settings(), ...one })
    return messageOf(() => assertRedirectUris(settings))
  }

  setSecret(secret: unknown) {
    if (typeof secret !== 'string' || secret === '') return
    if (isPlaceholder(secret))
      return this.note('secret', 'it is a placeholder: give the client another one')
    if (/^\*+$/.test(secret)) this.note('secret', 'it is masked: give the client another one')
    else if (isStrongSecret(secret) || isSecretDigest(secret)) this.secret = secret
    else if (secret.startsWith('$')) this.note('secret', 'its hash cannot be verified here')
    else this.note('secret', 'it is too short or too simple: give the client another one')
  }

  #settings() {
    const { serviceAccount, clientId, ...settings } = this.fields
    const acts = serviceAccount !== undefined
    return { ...settings, serviceAccountId: acts ? clientId : null } as unknown as NewClient
  }

  /** Leaves out a client that `config:apply` would refuse, and notes the reason. */
  async finish(): Promise<ImportedClient> {
    if (this.isLeftOut) this.secret = null
    else await this.#assertUsable()
    if (this.isLeftOut) this.#keepForCompletion()
    const { fields, notes, secret, isLeftOut } = this
    return { fields, notes, secret, isLeftOut }
  }

  /** A client with only patterns keeps its secret, because a person will write its addresses. */
  #keepForCompletion() {
    if (this.#lacksAddress) this.fields.redirectUris = []
    else this.secret = null
  }

  async #assertUsable() {
    try {
      await clientEntryValidator.validate(this.fields)
    } catch (error: any) {
      if (error.code !== 'E_VALIDATION_ERROR') throw error
      this.leaveOut(error.messages.map(({ message }: { message: string }) => message).join('; '))
      return
    }
    const refusal = messageOf(() => assertFields(withDefaults(this.#settings())))
    if (refusal) this.leaveOut(refusal)
  }
}

/** The service account of a client that is left out is also left out. */
export async function finishClients(drafts: ClientDraft[]) {
  const clients = await Promise.all(drafts.map((draft) => draft.finish()))
  const serviceAccounts = clients.flatMap(({ fields, isLeftOut }) =>
    isLeftOut || !fields.serviceAccount ? [] : { fields: { username: fields.serviceAccount } }
  )
  return { clients, serviceAccounts }
}

function messageOf(assert: () => void): string | null {
  try {
    assert()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [first] = (error.members.errors ?? []) as { message: string }[]
    return first?.message ?? error.message
  }
}
