/**
 * Content type of exports: RFC 4180 with a header row, in UTF-8 with a byte order mark, because spreadsheets read the
 * names of hosts as something else without one.
 */
export const csvType = 'text/csv; charset=utf-8';
