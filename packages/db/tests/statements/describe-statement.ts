import type pg from 'pg';

/** What the server knows of a statement before it runs. */
export interface Description {
  /** The types of the parameters. */
  readonly parameters: readonly number[];
  readonly columns: readonly pg.FieldDef[];
}

/** Describes a statement without running it: the messages Parse and Describe of the protocol. */
export function describeStatement(client: pg.ClientBase, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: readonly pg.FieldDef[] = [];
    const submittable = {
      submit(connection: pg.Connection) {
        // The client itself does not listen to this.
        connection.removeAllListeners('parameterDescription');
        connection.once('parameterDescription', ({ dataTypeIDs }: { readonly dataTypeIDs: number[] }) => {
          parameters = dataTypeIDs;
        });
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }) {
        columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ parameters, columns }),
    };
    client.query(submittable);
  });
}
