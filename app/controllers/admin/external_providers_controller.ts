import type { HttpContext } from '@adonisjs/core/http'
import { actorOf } from '#http/request_source'
import { noFields, submit, type Form } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { getProviderOrFail, renderProvider } from '#pages/settings/provider_page'
import { renderSettings } from '#pages/settings/settings_page'
import { readTypedSecret } from '#pages/settings/typed_secret'
import { createProvider, deleteProvider, updateProvider } from '#settings/external_providers'
import { testProvider, type TestResult } from '#settings/test_provider'
import { createProviderValidator, updateProviderValidator } from '#validators/settings'

const PATH = '/admin/settings#providers'

/** Each provider is tested before it is saved, unless an administrator saves it anyway. */
export default class ExternalProvidersController {
  async store(ctx: HttpContext) {
    return this.#submitNew(ctx, async (input) => {
      const failure = await failureOf(ctx, input)
      if (failure) return failure
      await createProvider(input, actorOf(ctx))
      return null
    })
  }

  async test(ctx: HttpContext) {
    return this.#submitNew(ctx, (input) => testProvider(input, actorOf(ctx), ctx.i18n.locale))
  }

  async #submitNew(ctx: HttpContext, action: (input: any) => Promise<TestResult | null>) {
    takeSecret(ctx)
    const show = (shown: { form: Form; result?: TestResult }) =>
      renderSettings(ctx, { card: 'provider', ...shown })
    const outcome = await submit(ctx, {
      validator: createProviderValidator,
      fields: { E_PROVIDER_EXISTS: 'name' },
      action,
      onError: (form) => show({ form }),
    })
    if (!outcome.ok) return outcome.page
    if (!outcome.result) return redirectWithNotice(ctx, PATH, ctx.i18n.t('configure.saved'))
    return show({ form: sentForm(ctx), result: outcome.result })
  }

  show(ctx: HttpContext) {
    return renderProvider(ctx)
  }

  async update(ctx: HttpContext) {
    return this.#submitChange(ctx, async (changes) => {
      const failure = await failureOf(ctx, { ...changes, name: ctx.params.name })
      if (failure) return failure
      await updateProvider(ctx.params.name, changes, actorOf(ctx))
      return null
    })
  }

  async testChange(ctx: HttpContext) {
    const { name } = ctx.params
    return this.#submitChange(ctx, (changes) =>
      testProvider({ ...changes, name }, actorOf(ctx), ctx.i18n.locale)
    )
  }

  async #submitChange(ctx: HttpContext, action: (changes: any) => Promise<TestResult | null>) {
    await getProviderOrFail(ctx)
    takeSecret(ctx)
    const outcome = await submit(ctx, {
      validator: updateProviderValidator,
      action,
      onError: (form) => renderProvider(ctx, { form }),
    })
    if (!outcome.ok) return outcome.page
    if (!outcome.result) return redirectWithNotice(ctx, PATH, ctx.i18n.t('configure.saved'))
    return renderProvider(ctx, { form: sentForm(ctx), result: outcome.result })
  }

  async delete(ctx: HttpContext) {
    return ctx.view.render('admin/settings/delete_provider', {
      provider: await getProviderOrFail(ctx),
    })
  }

  async destroy(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => deleteProvider(ctx.params.name, actorOf(ctx)),
      onError: (form) => renderProvider(ctx, { form }),
    })
    const notice = ctx.i18n.t('configure.providers.deleted')
    return outcome.ok ? redirectWithNotice(ctx, PATH, notice) : outcome.page
  }
}

/** Takes the secret that was typed before a test, which the form sends back encrypted. */
function takeSecret(ctx: HttpContext) {
  const clientSecret = readTypedSecret(ctx, 'clientSecret')
  if (clientSecret !== null) ctx.request.updateBody({ ...ctx.request.body(), clientSecret })
}

async function failureOf(ctx: HttpContext, input: Parameters<typeof testProvider>[0]) {
  if (ctx.request.input('anyway')) return null
  const result = await testProvider(input, actorOf(ctx), ctx.i18n.locale)
  return result.ok ? null : result
}

function sentForm({ request }: HttpContext): Form {
  return { input: request.only(['name', 'issuer', 'clientId']), errors: {} }
}
