/** The id of the column with the checkboxes of rows. It is not printed. */
export const selectColumnId = 'select';
