import type { HttpContext } from '@adonisjs/core/http'
import { localeOptions } from '#i18n/locales'
import limits from '#config/limits'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { accountBase, renderAccountPage } from './account_page.ts'
import { listSuggestions } from './suggestions.ts'

/** The submitted form is shown again; the others show stored values. */
interface ProfileForms {
  person?: Form
  picture?: Form
  handle?: Form
  address?: Form
}

export async function renderProfile(ctx: HttpContext, given: ProfileForms = {}) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const { username, nickname, locale, handle } = user
  const person: Form = { input: { username, nickname, locale }, errors: {} }
  return renderAccountPage(ctx, 'profile', {
    forms: {
      person,
      picture: EMPTY_FORM,
      handle: { input: { handle }, errors: {} },
      address: EMPTY_FORM,
      ...given,
    },
    languages: [
      { value: '', text: ctx.i18n.t('account.person.language_browser') },
      ...localeOptions(),
    ],
    largestPicture: limits.pictureBytes,
    suggestions: await listSuggestions(user, accountBase(ctx)),
  })
}
