/*
 | Pages are drawn with the tokens of `resources/css/tokens.css`: spaces, radii, borders, colours
 | and sizes of letters. Other lengths are in rem or em, which grow with the reader's letters.
 */

const RAW_LENGTH = String.raw`/\d(px|rem|pt|ch|v[hw])\b/`
const FIXED_FONT = String.raw`/\d(px|rem|pt)\b/`

/** @type {import('stylelint').Config} */
export default {
  extends: 'stylelint-config-standard',
  rules: {
    'unit-disallowed-list': ['px', 'pt'],
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla', 'oklch', 'oklab', 'lch', 'lab'],
    'declaration-property-value-disallowed-list': {
      '/^(padding|margin|inset|scroll-padding)/': [RAW_LENGTH],
      '/^(gap|row-gap|column-gap|top|right|bottom|left)$/': [RAW_LENGTH],
      '/radius$/': [RAW_LENGTH],
      'font-size': [FIXED_FONT],
    },
    'selector-class-pattern': null,
    'no-descending-specificity': null,
    'property-no-vendor-prefix': null,
    'value-no-vendor-prefix': null,
  },
  overrides: [
    {
      files: ['resources/css/tokens.css'],
      rules: {
        'unit-disallowed-list': null,
        'color-no-hex': null,
        'function-disallowed-list': null,
        'declaration-property-value-disallowed-list': null,
        'custom-property-empty-line-before': null,
        'lightness-notation': 'number',
        'value-keyword-case': null,
      },
    },
  ],
}
