import type { HttpContext } from '@adonisjs/core/http'
import type { Interaction } from 'oidc-provider'
import {
  answerInteraction,
  answerWithConsent,
  hasBegunSince,
  nextStep,
  authenticationOf,
} from '#oidc/interactions/interactions'
import { renderVerifiedAddress } from '#pages/applications/verified_address_page'
import { waitingInteraction } from '#pages/applications/waiting_sign_in'
import {
  applicationOf,
  renderExpired,
  interactionOf,
  renderInterstitial,
  renderStop,
  requestOf,
} from '#pages/clients/application_pages'
import { ACCESS_PROMPT, ADDRESS_PROMPT } from '#oidc/provider/policy'
import { NO_ACCESS } from '#oidc/clients/access/may_access'
import { mayAccessClient } from '#oidc/tokens/client_access'
import { countSignedOut } from '#oidc/grants/sign_out'
import { withNext } from '#pages/sign_in/next_path'
import { actorOf } from '#http/request_source'

export default class InteractionsController {
  async show(ctx: HttpContext) {
    const interaction = await interactionOf(ctx)
    if (!interaction) return renderExpired(ctx)
    if (!(await ctx.auth.use('web').check())) return redirectTo(ctx, '/sign-in')
    if (interaction.prompt.name === ADDRESS_PROMPT) return renderAddress(ctx, interaction)
    if (interaction.prompt.name === ACCESS_PROMPT) return renderNoAccess(ctx, interaction)
    const isAsked = isQuestion(interaction.prompt.name) && !hasJustSignedIn(ctx, interaction)
    return isAsked ? renderPrompt(ctx, interaction) : continueSignIn(ctx, interaction)
  }

  async store(ctx: HttpContext) {
    const interaction = await interactionOf(ctx)
    if (!interaction) return renderExpired(ctx)
    const { name } = await applicationOf(interaction)
    if (ctx.request.body().decision !== 'allow') {
      const answer = await refusal(ctx, interaction)
      return renderInterstitial(ctx, await answerInteraction(interaction, answer), name)
    }
    if (!(await ctx.auth.use('web').check())) return redirectTo(ctx, '/sign-in')
    const { user } = ctx.auth.use('web').getUserOrFail()
    const isAnswer = isQuestion(interaction.prompt.name) && ctx.request.body().user === user.id
    if (!isAnswer || !(await isOfPage(ctx, interaction))) return redirectTo(ctx, ctx.request.url())
    return renderInterstitial(ctx, await allow(ctx, interaction), name)
  }
}

function isQuestion(prompt: string) {
  return ['select_account', 'consent', 'continue'].includes(prompt)
}

/** Whether the sign-in for this request has already chosen the account. */
function hasJustSignedIn(ctx: HttpContext, { prompt }: Interaction) {
  const { session } = ctx.auth.use('web').getUserOrFail()
  if (prompt.name !== 'select_account' || !isSignedInHere(ctx)) return false
  return hasBegunSince(prompt.details.askedAt, session)
}

function isSignedInHere({ request }: HttpContext) {
  return request.qs().signed_in === '1'
}

/** The consent must cover scopes that were added since the page was shown. */
async function isOfPage({ request }: HttpContext, interaction: Interaction) {
  if (interaction.prompt.name !== 'consent') return true
  const { scopes } = await requestOf(interaction)
  return request.body().scopes === scopes.join(' ')
}

async function allow(ctx: HttpContext, interaction: Interaction) {
  const caller = ctx.auth.use('web').getUserOrFail()
  const { name } = interaction.prompt
  const clicked = caller.session.id
  if (name === 'continue') return answerInteraction(interaction, { clicked })
  if (name === 'select_account') {
    return answerInteraction(interaction, { clicked, selected: clicked })
  }
  const { access } = await requestOf(interaction)
  return answerWithConsent(interaction, caller, { access, actor: actorOf(ctx) })
}

/** Asks nothing if the address is confirmed by now, in another tab or by an administrator. */
async function renderAddress(ctx: HttpContext, interaction: Interaction) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const page = await waitingInteraction(ctx, interaction)
  if (!user.isEmailVerified) return renderVerifiedAddress(ctx, page)
  return renderInterstitial(ctx, await answerInteraction(interaction, {}), page.waiting.name)
}

/** Continues as soon as an administrator has given access. */
async function renderNoAccess(ctx: HttpContext, interaction: Interaction) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  if (await mayAccessClient(interaction.params.client_id, user)) {
    const { name } = await applicationOf(interaction)
    return renderInterstitial(ctx, await answerInteraction(interaction, {}), name)
  }
  ctx.response.status(403)
  return renderPrompt(ctx, interaction)
}

function redirectTo(ctx: HttpContext, path: string) {
  return ctx.response.redirect().status(303).toPath(withNext(path, ctx.request.url()))
}

async function continueSignIn(ctx: HttpContext, interaction: Interaction) {
  const caller = ctx.auth.use('web').getUserOrFail()
  const { name } = await applicationOf(interaction)
  const step = await nextStep(interaction, caller)
  if (step === 'confirm') return redirectTo(ctx, '/confirm')
  if (step !== 'done') {
    ctx.response.status(403)
    return renderStop(ctx, { reason: step, name, action: ctx.request.url() })
  }
  const authentication = authenticationOf(interaction, caller.session, isSignedInHere(ctx))
  return renderInterstitial(ctx, await answerInteraction(interaction, authentication), name)
}

async function renderPrompt(ctx: HttpContext, interaction: Interaction) {
  const { user, session } = ctx.auth.use('web').getUserOrFail()
  const application = await applicationOf(interaction)
  const page = {
    ...application,
    ...(await requestOf(interaction)),
    user,
    signedOut: await countSignedOut(session),
    action: ctx.request.url(),
    back: ctx.request.url(),
  }
  return ctx.view.render(`applications/${interaction.prompt.name}`, page)
}

/** Tells the client that the user has no second factor, which is not a refusal. */
async function refusal(ctx: HttpContext, interaction: Interaction) {
  if (interaction.prompt.name === ACCESS_PROMPT) return WITHOUT_ACCESS
  const isSignedIn = await ctx.auth.use('web').check()
  const caller = isSignedIn && ctx.auth.use('web').getUserOrFail()
  const step =
    caller && interaction.prompt.name === 'login' && (await nextStep(interaction, caller))
  return step === 'factor' ? NO_FACTOR : REFUSED
}

const WITHOUT_ACCESS = { error: 'access_denied', error_description: NO_ACCESS } as const

const REFUSED = { error: 'access_denied', error_description: 'the user refused' } as const

/** OpenID Connect Core Unmet Authentication Requirements 1.0. */
const NO_FACTOR = {
  error: 'unmet_authentication_requirements',
  error_description: 'the account has no second factor',
} as const
