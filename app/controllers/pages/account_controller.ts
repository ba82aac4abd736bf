import type { HttpContext } from '@adonisjs/core/http'

/** The account of who is signed in. */
export default class AccountController {
  show({ view }: HttpContext) {
    return view.render('account/show')
  }
}
