/**
 * Content type of exports: RFC 4180 with a header row, in UTF-8 with a byte order mark; without it spreadsheets
 * misread host names.
 */
export const csvType = 'text/csv; charset=utf-8';
