import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { actorOf } from '#http/request_source'
import { getUploadOrFail } from '#http/upload'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { drawPreview } from '#pages/settings/draw_preview'
import { readPreview } from '#pages/settings/brand_preview'
import { changesOf } from '#pages/settings/setting_form'
import { isCard, type Card } from '#pages/settings/setting_fields'
import { renderSettings } from '#pages/settings/settings_page'
import { changeBrandLogo } from '#settings/brand_logo'
import { changeSettings } from '#settings/change_settings'
import { testMail } from '#settings/test_mail'

export default class SettingsController {
  index(ctx: HttpContext) {
    return renderSettings(ctx)
  }

  async update(ctx: HttpContext) {
    const card = cardOf(ctx)
    const outcome = await submit(ctx, {
      validator: noFields,
      fields: { E_MFA_ENROLMENT_REQUIRED: 'ADMIN_REQUIRE_MFA' },
      action: () => changeSettings(changesOf(ctx, card), optionsOf(ctx)),
      onError: (form) => renderSettings(ctx, { card, form }),
    })
    return outcome.ok ? saved(ctx, card) : outcome.page
  }

  /** Without scripts, a button shows the preview of what is typed. */
  preview(ctx: HttpContext) {
    return renderSettings(ctx, { card: 'brand' })
  }

  picture({ request, response, i18n }: HttpContext) {
    response.header('content-type', 'image/svg+xml; charset=utf-8')
    response.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return response.send(drawPreview(i18n, readPreview(request.qs())))
  }

  async testMail(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => testMail(changesOf(ctx, 'mail'), actorOf(ctx), ctx.i18n.locale),
      onError: (form) => renderSettings(ctx, { card: 'mail', form }),
    })
    if (!outcome.ok) return outcome.page
    return renderSettings(ctx, { card: 'mail', result: outcome.result })
  }

  async storeLogo(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => changeBrandLogo(getUploadOrFail(ctx), { actor: actorOf(ctx), ifMatch: null }),
      onError: (form) => renderSettings(ctx, { card: 'logo', form }),
    })
    return outcome.ok ? saved(ctx, 'brand') : outcome.page
  }

  async removeLogo(ctx: HttpContext) {
    await changeSettings({ BRAND_LOGO: null }, { actor: actorOf(ctx), ifMatch: null })
    return saved(ctx, 'brand')
  }
}

function cardOf({ params }: HttpContext): Card {
  if (!isCard(params.card)) throw new E_NOT_FOUND()
  return params.card
}

/** A form without the version of the settings that it showed is refused. */
function optionsOf(ctx: HttpContext) {
  return { actor: actorOf(ctx), ifMatch: String(ctx.request.input('etag', '')) }
}

function saved(ctx: HttpContext, card: Card) {
  return redirectWithNotice(ctx, `/admin/settings#${card}`, ctx.i18n.t('configure.saved'))
}
