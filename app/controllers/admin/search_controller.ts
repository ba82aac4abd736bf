import type { HttpContext } from '@adonisjs/core/http'
import { searchPage } from '#pages/search/search_page'

export default class SearchController {
  async show({ request, view, i18n }: HttpContext) {
    return view.render('admin/search', await searchPage(i18n, request.qs()))
  }
}
