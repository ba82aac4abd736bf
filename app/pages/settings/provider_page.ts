import type { HttpContext } from '@adonisjs/core/http'
import config from '#config/settings'
import { redirectUri } from '#auth/external/redirect_uri'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { isConfirmed } from '#pages/reauthentication/reauthentication'
import type { Form } from '#pages/forms/forms'
import { listProviders, type ListedProvider } from '#settings/external_providers'
import type { TestResult } from '#settings/test_provider'
import { sealTypedSecret } from './typed_secret.ts'

export async function getProviderOrFail({ params }: HttpContext): Promise<ListedProvider> {
  const providers = await listProviders()
  const provider = providers.find(({ name }) => name === params.name)
  if (!provider) throw new E_NOT_FOUND()
  return provider
}

interface Shown {
  form?: Form
  result?: TestResult
}

export async function renderProvider(ctx: HttpContext, { form, result }: Shown = {}) {
  const provider = await getProviderOrFail(ctx)
  return ctx.view.render('admin/settings/provider', {
    provider,
    form: form ?? { input: provider, errors: {} },
    result: result ?? null,
    sealed: sealTypedSecret(ctx, 'clientSecret'),
    isLocked: !config.inConsole,
    isConfirmed: isConfirmed(ctx),
    callback: redirectUri(provider.name),
  })
}
