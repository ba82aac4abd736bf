/** The library has no types: this product declares what it uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  import type { KeyObject } from 'node:crypto'

  export interface Client {
    clientId: string
    clientName: string
    redirectUris: string[]
    postLogoutRedirectUris: string[]
    clientAuthMethod: string
    idTokenSignedResponseAlg: 'RS256' | 'ES256' | 'EdDSA'
    gatehouse: any
    compareClientSecret(secret: string): Promise<boolean>
    includeSid(): boolean
    grantTypeAllowed(grantType: string): boolean
    postLogoutRedirectUriAllowed(uri: string): boolean
    redirectUriAllowed(uri: string): boolean
    responseModeAllowed(mode: string): boolean
  }

  export interface Session {
    uid: string
    accountId?: string
    loginTs?: number
    /** Added by Gatehouse, in milliseconds. */
    authenticatedAt?: number
    acr?: string
    /** Keyed by client id. */
    authorizations?: Record<string, object>
    sidFor(clientId: string, value?: string): string | undefined
  }

  export interface Grant {
    jti: string
    accountId: string
    clientId: string
    exp: number
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    addOIDCClaims(claims: string[]): void
    getOIDCClaims(): string[]
    getOIDCScope(): string
    getResourceScope(resource: string): string
    save(): Promise<string>
    getValueAndPayload(): Promise<{ payload: Record<string, any> }>
  }

  export interface Interaction {
    uid: string
    exp: number
    returnTo: string
    params: Record<string, any>
    prompt: { name: string; reasons: string[]; details: Record<string, any> }
    lastSubmission?: Record<string, any>
    session?: object
    result?: object
    getValueAndPayload(): Promise<{ payload: Record<string, any> }>
  }

  export interface DeviceCode {
    clientId: string
    params: Record<string, any>
    iat: number
    isExpired: boolean
    accountId?: string
    error?: string
    [member: string]: any
    getValueAndPayload(): Promise<{ payload: Record<string, any> }>
  }

  export interface OIDC {
    route: string
    client: Client
    session: Session
    body?: Record<string, any>
    params: Record<string, any>
    prompts: Set<string>
    result?: Record<string, any>
    requestParamScopes: Set<string>
    requestParamOIDCScopes: Set<string>
    resourceServers: Record<string, { scopes: Set<string> }>
    entities: Record<string, any>
    acr?: string
    clientJwtAuthExpectedAudience(): Set<string>
    entity(name: string, value: unknown): void
  }

  export interface Context {
    req: IncomingMessage
    res: ServerResponse
    ip: string
    path: string
    method: string
    query: Record<string, string | string[]>
    status: number
    type: string
    body: any
    respond?: boolean
    redirect(url: string): void
    cookies: { get(name: string): string | undefined }
    get(header: string): string
    oidc: OIDC
  }

  type Next = () => Promise<void>
  type ResponseModeHandler = (ctx: Context, redirectUri: string, fields: any) => void
  type Model = new (payload?: object, about?: object) => any
  /** A token that is not stored has no payload. */
  type Composed = { value: string; payload?: Record<string, any> }
  type TokenModel = Model & { prototype: { getValueAndPayload(): Promise<Composed> } }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    static readonly ctx: Context | undefined
    proxy: boolean
    silent: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    use(middleware: (ctx: Context, next: Next) => Promise<void>): this
    registerResponseMode(mode: string, handler: ResponseModeHandler): void
    on(event: string, listener: (...args: any[]) => void): this
    OIDCContext: { prototype: OIDC }
    Claims: (new (available: object, about: { client: Client }) => any) & {
      prototype: { available: Record<PropertyKey, any>; result(): Promise<Record<string, unknown>> }
    }
    Session: Model & { get(ctx: Context): Promise<Session> }
    Grant: (new (payload: object) => Grant) & {
      prototype: Grant
      find(id: string): Promise<Grant | undefined>
      IN_PAYLOAD: string[]
    }
    Interaction: Model & {
      prototype: { save(ttl: number): Promise<string> }
      find(uid: string): Promise<Interaction | undefined>
    }
    DeviceCode: Model & { findByUserCode(code: string): Promise<DeviceCode | undefined> }
    AccessToken: TokenModel & { find(token: string): Promise<any> }
    ClientCredentials: TokenModel
    RefreshToken: Model & { prototype: { generateTokenId(): string } }
    Client: {
      prototype: Client
      validate(metadata: object): Promise<void>
      Schema: { prototype: { redirectUris(): void; postLogoutRedirectUris(): void } }
      find(clientId: string): Promise<Client | undefined>
    }
    Claims: Model
    ReplayDetection: { unique(issuer: string, jti: string, exp: number): Promise<boolean> }
    IdToken: {
      prototype: { client: Client; issue(options: object): Promise<string> }
      validate(jwt: string, client: Client): Promise<{ payload: any }>
    }
  }

  export class ExternalSigningKey {
    alg: string
    get kid(): string
    keyObject(): KeyObject
    sign(data: Buffer): Promise<Buffer>
  }

  type ErrorClass = new (description?: string, detail?: string) => Error
  export const errors: Record<
    | 'AccessDenied'
    | 'InvalidClient'
    | 'InvalidClientAuth'
    | 'InvalidRedirectUri'
    | 'InvalidGrant'
    | 'InvalidRequest'
    | 'InvalidRequestUri'
    | 'InvalidScope'
    | 'InvalidTarget'
    | 'LoginRequired'
    | 'SessionNotFound'
    | 'SlowDown'
    | 'TemporarilyUnavailable'
    | 'UnauthorizedClient'
    | 'UnmetAuthenticationRequirements',
    ErrorClass
  >

  type CheckFunction = (ctx: Context) => boolean | Promise<boolean>

  export interface Checks extends Array<Check> {
    get(reason: string): Check
    remove(reason: string): void
    clear(): void
    add(check: Check, index?: number): void
  }

  interface Check {
    reason: string
    check: CheckFunction
  }

  interface Prompt {
    name: string
    checks: Checks
    details: (ctx: Context) => object
  }

  export interface Policy extends Array<Prompt> {
    get(name: string): Prompt
    add(prompt: Prompt, index?: number): void
  }

  export const interactionPolicy: {
    base(): Policy
    Prompt: new (about: { name: string; requestable?: boolean }, ...checks: Check[]) => Prompt
    Check: new (
      reason: string,
      description: string,
      error: string,
      check: CheckFunction,
      details?: (ctx: Context) => object
    ) => Check
  }
}
