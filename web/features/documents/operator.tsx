/** The site's operator, from build variables. Unset fields are null. */
const OPERATOR = {
  name: read('VITE_OPERATOR_NAME'),
  address: read('VITE_OPERATOR_ADDRESS'),
  email: read('VITE_OPERATOR_EMAIL'),
};

function read(name: `VITE_OPERATOR_${'NAME' | 'ADDRESS' | 'EMAIL'}`): string | null {
  return import.meta.env[name] || null;
}

export function OperatorDetails() {
  const { name, address, email } = OPERATOR;
  if (name === null) return <p>The operator of this site hasn't entered their name and address yet.</p>;
  return (
    <address className="not-italic">
      <p>{name}</p>
      {address !== null && <p className="whitespace-pre-line">{address}</p>}
      {email !== null && (
        <p>
          <a href={`mailto:${email}`} className="link">
            {email}
          </a>
        </p>
      )}
    </address>
  );
}
