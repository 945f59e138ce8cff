import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { Entrance } from './entrance.tsx';

/**
 * Confirms an e-mail address by the token of the mail that was sent to it, without an account. Opening the page confirms nothing:
 * mail servers open links. The token is behind the `#` of the address, which no server gets.
 */
export function ConfirmAddressPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setIsDone] = useState(false);
  // The token is neither in the history nor visible on a shared screen.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const confirm = async (values: FormData) => {
    const typed = String(values.get('token') ?? '').trim();
    await api.post('/mail-confirmations', { body: { token: token === '' ? typed : token } });
    setIsDone(true);
  };
  if (isDone) {
    return (
      <Entrance title="Confirmed" lead="Messages of Plimsoll now go to your address.">
        <Notice tone="good">
          <p>You can close this page. To get no more messages, ask the operators of your Plimsoll.</p>
        </Notice>
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Confirm your address"
      lead="An operator wants messages of Plimsoll to go to your e-mail address."
    >
      <Form submit="Send messages to my address" onSubmit={confirm}>
        {token === '' && <TextField name="token" label="Code from the mail" isRequired maxLength={100} />}
      </Form>
    </Entrance>
  );
}
